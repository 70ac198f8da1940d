import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { PSUS, type RunningAuth } from "../running-auth.ts";
import { JSON_BODY, REDIRECT_URI, register, type TestApplication } from "../test-application.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "./sample-orders.ts";

/** A signing request in the bank listener's answer. */
export interface ToldSigning {
  readonly id: string;
  readonly url: string;
  readonly paymentId: string;
  readonly signId: string;
  readonly state: string;
  readonly digest: string;
  readonly reason?: string;
  readonly approval?: {
    readonly id: string;
    readonly digest: string;
    readonly methods: readonly string[];
    readonly approvedAt: string;
  };
}

/** A test's signing request; what it leaves out is correct. */
export interface TestSigning {
  readonly order?: object;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Resource's side of signing, and the PSU's phone. */
export interface SigningDesk {
  readonly application: TestApplication;
  /** Sends a request as resource does, and returns any answer. */
  ask(signing?: TestSigning, at?: RunningAuth): Promise<RawAnswer>;
  /** Sends a request and returns it as stored; throws if refused. */
  request(signing?: TestSigning): Promise<ToldSigning>;
  find(id: string, at?: RunningAuth): Promise<ToldSigning>;
  cancel(id: string): Promise<ToldSigning>;
  /** Texts that were delivered to a PSU, newest first. */
  messages(username?: string): Promise<readonly string[]>;
  /** Code of the newest text that has one. */
  newestCode(username?: string): Promise<string>;
  /** Opens the page of the order in a new browser, signed in. */
  arrive(told: ToldSigning, username?: string): Promise<{ browser: PsuBrowser; page: RawAnswer }>;
}

/** The path of the page of a request. */
export const pathOf = ({ id }: Pick<ToldSigning, "id">) => `/sign/${id}`;

/** Registers an application and opens the desk. */
export async function openDesk(auth: RunningAuth): Promise<SigningDesk> {
  const application = await register(auth);
  const { organisationIdentifier } = auth.tpp(application.certificate);
  let payments = 0;

  function bodyOf({ order = {}, body = {} }: TestSigning): string {
    payments += 1;
    const paymentId = `P-${payments}-${application.client_id.slice(0, 8)}`;
    return JSON.stringify({
      paymentId,
      signId: "S-1",
      psu: "psu-jana",
      organisationIdentifier,
      clientId: application.client_id,
      returnUrl: `${REDIRECT_URI}?state=of-the-tpp`,
      expiresAt: new Date(auth.clock.now().getTime() + 3_600_000).toISOString(),
      order: canonicalOrder({ ...DOMESTIC_ORDER, paymentId, ...order }),
      ...body,
    });
  }
  async function told(answer: Promise<RawAnswer>): Promise<ToldSigning> {
    const { status, body } = await answer;
    if (status !== 200 && status !== 201) throw new Error(`signing gave ${status} ${body}`);
    return JSON.parse(body);
  }
  const desk: SigningDesk = {
    application,
    ask: (signing = {}, at = auth) =>
      at.callAsBank({ method: "POST", path: "/signing-requests", headers: JSON_BODY, body: bodyOf(signing) }),
    request: (signing) => told(desk.ask(signing)),
    find: (id, at = auth) => told(at.callAsBank({ path: `/signing-requests/${id}` })),
    cancel: (id) => told(auth.callAsBank({ method: "DELETE", path: `/signing-requests/${id}` })),
    async messages(username = "jana") {
      const answer = await auth.browse({ path: `/sandbox/messages/psu-${username}` });
      const { messages }: { messages: readonly { text: string }[] } = JSON.parse(answer.body);
      return messages.map(({ text }) => text);
    },
    async newestCode(username) {
      const [code] = (await desk.messages(username)).flatMap((text) => /\d{4} \d{4}/.exec(text)?.[0] ?? []);
      if (code === undefined) throw new Error("no code was delivered");
      return code;
    },
    async arrive(request, username = PSUS[0]?.username ?? "") {
      const browser = openBrowser(auth);
      const page = await browser.get(pathOf(request));
      return { browser, page: await browser.follow(await signIn(auth, browser, page, username)) };
    },
  };
  return desk;
}
