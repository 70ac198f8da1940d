import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import { expect } from "chai";
import { createPageRoutes } from "../../../../packages/auth/src/http/pages/page-routes.ts";
import { showJourney } from "../../../../packages/auth/src/journey/dispatch.ts";
import {
  type PendingAuthorization,
  PendingAuthorizationGone,
} from "../../../../packages/auth/src/journey/pending-authorization.ts";
import type { RateLimits } from "../../../../packages/auth/src/limits/rate-limits.ts";
import { createPages } from "../../../../packages/auth/src/pages/pages.ts";
import {
  type PsuLogin,
  SignInBusy,
  type SignInOutcome,
} from "../../../../packages/auth/src/psu/psu-login.ts";
import { handMadeJourney, NOW, tokenOf } from "../../journey/hand-made-journey.ts";
import { stepCookie } from "../../sign-in/hand-made-sign-in.ts";

const pages = createPages({ bankName: "Sandbox Bank" });
let { parts, visit } = handMadeJourney();
const PATH = "/oauth/interaction/interaction-1";
const TYPED = { username: ["jana"], password: ["x"], one_time_code: ["123456"] };
const STEP = stepCookie("step-1");
const token = [tokenOf(visit.pending, "sign-in")];

const NO_LIMITS: RateLimits = {
  count: async () => {},
  countWhile: async (_counted, read) => read(),
  countHere: () => {},
  penalise: async () => {},
};

interface Wanted {
  readonly limits?: RateLimits;
  readonly pending?: PendingAuthorization | undefined;
  readonly parts?: Partial<typeof parts>;
  readonly finish?: () => Promise<string>;
}

function routesOf(wanted: Wanted): readonly Route[] {
  const finish = wanted.finish ?? (async () => "https://login.bank.example/next");
  return createPageRoutes({
    ...parts,
    ...wanted.parts,
    pages,
    pendingAuthorizations: {
      find: async () => ("pending" in wanted ? wanted.pending : visit.pending),
      answered: async () => undefined,
      completeSignIn: finish,
      completeConsent: finish,
      abort: finish,
      refuse: finish,
    },
    limits: wanted.limits ?? NO_LIMITS,
    addressOf: (call) => call.remoteAddress,
  });
}

function loginThat(take: () => Promise<SignInOutcome>): PsuLogin {
  return { ...parts.login, take };
}

interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly file?: string;
}

function send(routes: readonly Route[], line: string, sent: Sent = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
  if (route === undefined) throw new Error(`no route ${line}`);
  const request = new IncomingMessage(new Socket());
  const headers: Record<string, string> = {
    host: "login.bank.example",
    cookie: STEP,
    ...sent.headers,
  };
  const call: IncomingCall = {
    requestId: "request-1",
    callerRequestId: undefined,
    note: () => undefined,
    method,
    path: PATH,
    parameters: { uid: "interaction-1", file: sent.file ?? "" },
    query: new URLSearchParams(sent.query),
    header: (name) => headers[name.toLowerCase()] || undefined,
    body: sent.body,
    readJson: async () => undefined,
    presentedCertificate: undefined,
    traceContext: undefined,
    remoteAddress: "127.0.0.1",
    exchange: { request, response: new ServerResponse(request) },
  };
  return route.handle(call);
}

const PAGE = "GET /oauth/interaction/:uid";
const SIGN_IN = "POST /oauth/interaction/:uid/sign-in";

describe("The routes of the pages", () => {
  // The browser has been shown the first step of its sign-in.
  beforeEach(async () => {
    ({ parts, visit } = handMadeJourney());
    await showJourney(parts, visit);
  });

  it("answer with the page of the current step", async () => {
    const answer = await send(routesOf({}), PAGE);
    expect(answer.status).to.equal(200);
    expect(answer.html).to.contain(`action="${PATH}/sign-in"`);
  });

  it("redirect with 303, so that no credentials are posted further (RFC 9700 4.12)", async () => {
    const answer = await send(routesOf({}), SIGN_IN, { body: { ...TYPED, token } });
    expect(answer.status).to.equal(303);
    expect(answer.headers?.Location).to.equal("https://login.bank.example/next");
  });

  it("answer 422 to a form with a fault, and log the fault", async () => {
    const login = loginThat(async () => ({ outcome: "refused" }));
    const answer = await send(routesOf({ parts: { login } }), SIGN_IN, { body: { ...TYPED, token } });
    expect(answer.status).to.equal(422);
    expect(answer.facts).to.deep.equal({ page: "sign-in", faults: ["fault_sign_in_refused"] });
  });

  it("answer 403 to a form without our token or of another site, and 400 to a field sent twice", async () => {
    expect((await send(routesOf({}), SIGN_IN, { body: TYPED })).status).to.equal(403);
    const headers = { origin: "https://evil.example" };
    expect((await send(routesOf({}), SIGN_IN, { body: { ...TYPED, token }, headers })).status).to.equal(403);
    const twice = { ...TYPED, token, username: ["jana", "petr"] };
    expect((await send(routesOf({}), SIGN_IN, { body: twice })).status).to.equal(400);
  });

  it("offer no language switch that would lose until when a sign-in is blocked", async () => {
    const blocked = { outcome: "blocked", until: new Date(NOW.getTime() + 299_001) } as const;
    const told = { parts: { login: loginThat(async () => blocked) } };
    const { html } = await send(routesOf(told), SIGN_IN, { query: "lang=en", body: { ...TYPED, token } });
    expect(html).to.include("Sign-in is blocked").and.not.include("?lang=");
    expect((await send(routesOf(told), PAGE, { query: "lang=en" })).html).to.include("?lang=");
  });

  it("answer 429 with Retry-After to a blocked sign-in", async () => {
    const blocked = { outcome: "blocked", until: new Date(NOW.getTime() + 299_001) } as const;
    const login = loginThat(async () => blocked);
    const answer = await send(routesOf({ parts: { login } }), SIGN_IN, { body: { ...TYPED, token } });
    expect(answer.status).to.equal(429);
    expect(answer.headers).to.deep.equal({ "Retry-After": "300" });
    expect(answer.html).to.contain("Zkuste to znovu po 14:05.").and.not.contain("14:04");
  });

  it("answer 503 when too many sign in at once", async () => {
    const login = loginThat(() => Promise.reject(new SignInBusy()));
    const answer = await send(routesOf({ parts: { login } }), SIGN_IN, { body: { ...TYPED, token } });
    expect(answer.status).to.equal(503);
    expect(answer.headers).to.deep.equal({ "Retry-After": "2" });
  });

  it("say what to do when no authorization waits: expired, or begun in another browser or tab", async () => {
    const other = { ...visit.pending, uid: "interaction-2" };
    for (const pending of [undefined, other]) {
      const answer = await send(routesOf({ pending }), PAGE, { query: "lang=en" });
      expect(answer.status).to.equal(404);
      expect(answer.html).to.contain("This page is no longer valid");
    }
    const late = await send(
      routesOf({ finish: () => Promise.reject(new PendingAuthorizationGone()) }),
      SIGN_IN,
      {
        body: { ...TYPED, token },
      },
    );
    expect(late.status).to.equal(404);
  });

  it("say that cookies are needed when the browser sends none", async () => {
    const answer = await send(routesOf({ pending: undefined }), PAGE, {
      headers: { cookie: "" },
      query: "lang=en",
    });
    expect(answer.status).to.equal(400);
    expect(answer.html).to.contain("did not send our cookie");
  });

  it("choose the language by the switch, the cookie, the request, the browser, else Czech", async () => {
    const languageOf = async (sent: Sent, uiLocales?: string) => {
      const answer = await send(routesOf({ pending: { ...visit.pending, uiLocales } }), PAGE, sent);
      return /<html lang="(\w+)">/.exec(answer.html ?? "")?.[1];
    };
    const chosen = { cookie: "a=b; __Host-language=en; c=d", "accept-language": "cs" };
    expect(await languageOf({ query: "lang=cs", headers: chosen }, "en")).to.equal("cs");
    expect(await languageOf({ headers: chosen }, "cs")).to.equal("en");
    expect(await languageOf({ headers: { "accept-language": "cs" } }, "de en-GB cs")).to.equal("en");
    expect(await languageOf({ headers: { "accept-language": "en" } }, "de")).to.equal("en");
    expect(await languageOf({ query: "lang=%22%3E", headers: { cookie: "x__Host-language=en" } })).to.equal(
      "cs",
    );
  });

  it("remember a switched language in a cookie that scripts and other sites cannot use", async () => {
    const answer = await send(routesOf({}), PAGE, { query: "lang=en" });
    const kept = "__Host-language=en; Path=/; HttpOnly; Secure; SameSite=Lax";
    expect(answer.headers?.["Set-Cookie"]).to.include(kept);
    expect((await send(routesOf({}), PAGE)).headers?.["Set-Cookie"]).to.not.include(kept);
    const on = await send(routesOf({}), SIGN_IN, { query: "lang=en", body: { ...TYPED, token } });
    expect([on.status, on.headers?.["Set-Cookie"]?.includes(kept)]).to.deep.equal([303, true]);
  });

  it("redirect a GET of a form's address to the current step", async () => {
    for (const purpose of ["sign-in", "consent", "cancel"]) {
      const answer = await send(routesOf({}), `GET /oauth/interaction/:uid/${purpose}`);
      expect(answer).to.deep.equal({ status: 303, headers: { Location: PATH } });
    }
  });

  it("serve the stylesheet only under the name made from its content, cacheable for a year", async () => {
    const asset = "GET /assets/:file";
    const answer = await send(routesOf({}), asset, { file: pages.stylesheet.fileName });
    expect(answer.headers?.["Cache-Control"]).to.equal("public, max-age=31536000, immutable");
    expect(answer.content?.type).to.equal("text/css; charset=utf-8");
    for (const file of ["pages.css", "../package.json", "__proto__"]) {
      const refused = await send(routesOf({}), asset, { file }).catch(
        (error: { code?: string }) => error.code,
      );
      expect(refused).to.equal("route_unknown");
    }
  });
});
