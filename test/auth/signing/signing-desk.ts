import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { PSUS, type RunningAuth } from "../running-auth.ts";
import { JSON_BODY, REDIRECT_URI, register, type TestApplication } from "../test-application.ts";
import { canonicalOrder, DOMESTIC_ORDER } from "./sample-orders.ts";

/** A signing request as the bank listener tells it. */
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

/** How a test asks; what it leaves out is right. */
export interface TestSigning {
  readonly order?: object;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Resource's side of signing, and the PSU's phone. */
export interface SigningDesk {
  readonly application: TestApplication;
  /** Asks as resource does, whatever comes back. */
  ask(signing?: TestSigning, at?: RunningAuth): Promise<RawAnswer>;
  /** Asks and gives the request; throws when it was refused. */
  request(signing?: TestSigning): Promise<ToldSigning>;
  find(id: string, at?: RunningAuth): Promise<ToldSigning>;
  cancel(id: string): Promise<ToldSigning>;
  /** The texts that were delivered to a PSU, newest first. */
  messages(username?: string): Promise<readonly string[]>;
  /** The code of the newest text that has one. */
  newestCode(username?: string): Promise<string>;
  /** A new browser that has come to the page of the order, signed in. */
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
