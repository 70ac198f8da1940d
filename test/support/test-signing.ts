import { createHash, randomBytes } from "node:crypto";
import type { TestFeed } from "./test-feed.ts";

/** A request as the stand-in keeps it; `told` is the part of its answers that states how it stands, sent as it is. */
export interface TestSigningRequest {
  readonly id: string;
  readonly asked: Readonly<Record<string, string>>;
  /** Where the PSU goes back to, from the latest request. */
  returnUrl: string;
  readonly digest: string;
  told: Readonly<Record<string, unknown>>;
}

interface TestAnswer {
  readonly status: number;
  readonly body: string;
}

/** The part of an authorization server that has PSUs approve orders; here the test decides in their place. */
export interface TestSigning {
  /** All requests, oldest first. */
  readonly requests: readonly TestSigningRequest[];
  /** Registered return URLs; a request without one gets the first. */
  readonly registered: string[];
  /** Whether decisions appear in the feed. */
  tells: boolean;
  /** Replaces each answer; undefined ends the connection without one. */
  write: (answer: TestAnswer) => TestAnswer | undefined;
  approve(id: string, changed?: Readonly<Record<string, unknown>>): void;
  refuse(id: string, reason?: string): void;
  expire(id: string): void;
  /** Ends the consent on which an application's payments for a PSU depend, with its requests, and adds an event to the feed. */
  endConsent(clientId: string, psu: string): void;
  answer(method: string, path: string, body: string): TestAnswer | undefined;
}

const REQUESTS = "/signing-requests";
const KNOWN = "/known-signing-requests";
const CONSENTS = "/payment-consents?";

/** Starts the stand-in without requests. */
export function startTestSigning(feed: TestFeed, now: () => Date): TestSigning {
  const requests: TestSigningRequest[] = [];
  const at = () => now().toISOString();

  function decide(id: string, kind: string, told: Readonly<Record<string, unknown>>): void {
    const request = requests.find((each) => each.id === id);
    if (request?.told.state !== "waiting") throw new Error(`request ${id} does not wait`);
    request.told = { ...told, decidedAt: at() };
    if (signing.tells) feed.tell(kind, id);
  }

  const ended = new Set<string>();
  const payerOf = ({ clientId, psu }: Readonly<Record<string, string>>) => `${clientId} ${psu}`;

  function ask(asked: Record<string, string>): TestAnswer {
    if (new Date(asked.expiresAt ?? "") <= now())
      return json(400, { error: "request_malformed", error_description: "expiresAt is invalid" });
    if (ended.has(payerOf(asked)))
      return json(400, { error: "application_unknown", error_description: "no" });
    const returnUrl = asked.returnUrl ?? signing.registered[0] ?? "";
    if (!signing.registered.includes(returnUrl.split("?")[0] ?? ""))
      return json(400, { error: "return_url_unregistered", error_description: "no" });
    // A request with another certificate counts as the same.
    const { certificate: _certificate, returnUrl: _returnUrl, ...terms } = asked;
    const same = requests.find(
      (each) => each.asked.paymentId === asked.paymentId && each.asked.signId === asked.signId,
    );
    if (same !== undefined) {
      if (JSON.stringify(same.asked) !== JSON.stringify(terms))
        return json(409, { error: "request_different", error_description: "no" });
      same.returnUrl = returnUrl;
      return json(200, documentOf(same));
    }
    const digest = createHash("sha256")
      .update(asked.order ?? "", "utf8")
      .digest("base64url");
    const id = randomBytes(16).toString("base64url");
    const request = { id, asked: terms, returnUrl, digest, told: { state: "waiting" } };
    requests.push(request);
    return json(201, documentOf(request));
  }

  function tellKnown(body: string): TestAnswer {
    const { signings }: { signings: readonly { paymentId: string; signId: string }[] } = JSON.parse(body);
    const known = signings.flatMap(({ paymentId, signId }) =>
      requests
        .filter(({ asked }) => asked.paymentId === paymentId && asked.signId === signId)
        .map(({ id }) => ({ id, paymentId, signId })),
    );
    return json(200, { requests: known });
  }

  function right(method: string, path: string, body: string): TestAnswer {
    if (path === KNOWN) return tellKnown(body);
    if (method === "POST") return ask(JSON.parse(body));
    if (path.startsWith(CONSENTS)) {
      const payer = Object.fromEntries(new URL(path, "https://localhost").searchParams);
      return json(200, { ended: ended.has(payerOf(payer)) });
    }
    const request = requests.find((each) => `${REQUESTS}/${each.id}` === path);
    if (request === undefined) return json(404, { error: "request_unknown", error_description: "no" });
    if (method === "DELETE" && request.told.state === "waiting")
      request.told = { state: "cancelled", decidedAt: at() };
    return json(200, documentOf(request));
  }

  const signing: TestSigning = {
    requests,
    registered: ["https://tpp.example/callback"],
    tells: true,
    write: (answer) => answer,
    approve: (id, changed = {}) => {
      const digest = requests.find((each) => each.id === id)?.digest;
      const approval = { id: randomBytes(16).toString("base64url"), digest, methods: ["delivered_code"] };
      decide(id, "signing_approved", {
        state: "approved",
        approval: { ...approval, approvedAt: at(), ...changed },
      });
    },
    refuse: (id, reason = "declined") => decide(id, "signing_refused", { state: "refused", reason }),
    expire: (id) => decide(id, "signing_expired", { state: "expired" }),
    endConsent: (clientId, psu) => {
      const payer = payerOf({ clientId, psu });
      ended.add(payer);
      for (const request of requests)
        if (request.told.state === "waiting" && payerOf(request.asked) === payer)
          request.told = { state: "cancelled", because: "consent_ended", decidedAt: at() };
      if (signing.tells) feed.tell("payment_consent", payer);
    },
    answer: (method, path, body) => signing.write(right(method, path, body)),
  };
  return signing;
}

function documentOf({ id, asked, digest, told }: TestSigningRequest): object {
  const { paymentId, signId, expiresAt } = asked;
  const url = `https://localhost:8443/sign/${id}`;
  return { id, url, paymentId, signId, digest, createdAt: expiresAt, expiresAt, ...told };
}

function json(status: number, value: object): TestAnswer {
  return { status, body: JSON.stringify(value) };
}
