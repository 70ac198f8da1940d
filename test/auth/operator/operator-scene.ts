import type { RawAnswer } from "../../support/raw-https.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { JSON_BODY, register, type TestApplication } from "../test-application.ts";
import { codeFor, introspect, redeem, refresh } from "../use-tokens.ts";

/** What a TPP received for a consent. */
export interface Given {
  readonly application: TestApplication;
  readonly consentId: string;
  readonly code: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** An answer of the operator API, with its parsed body. */
export interface OperatorAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

/** A server with an operator, and TPPs to which PSUs consent. */
export interface OperatorScene {
  readonly auth: RunningAuth;
  /** Calls the operator API as the operator. */
  order(method: "GET" | "POST", path: string, body?: unknown): Promise<OperatorAnswer>;
  code(application: TestApplication, username?: string): Promise<string>;
  redeem(application: TestApplication, code: string): Promise<RawAnswer>;
  refresh(given: Given): Promise<RawAnswer>;
  give(application: TestApplication, username?: string): Promise<Given>;
  register(certificate?: string): Promise<TestApplication>;
  isActive(token: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts a scene, on a database that was prepared for it if one is given. */
export async function openOperatorScene(
  changed: Readonly<Record<string, string>> = {},
  own: { readonly ownDatabase?: string } = {},
): Promise<OperatorScene> {
  const callers = "resource=introspect,feed;operator=operator;auth=accounts";
  const auth = await runAuth({ BANK_CALLERS: callers, ...changed }, undefined, own);
  const host = changed.BANK_URL === undefined ? {} : { host: new URL(changed.BANK_URL).host };
  const contentOf = async (token: string) => JSON.parse((await introspect(auth, token, host)).body);
  return {
    auth,
    code: (application, username) => codeFor(auth, application, { username }),
    redeem: (application, code) => redeem(auth, application, code),
    async order(method, path, body) {
      const sent =
        body === undefined
          ? { headers: host }
          : { headers: { ...JSON_BODY, ...host }, body: JSON.stringify(body) };
      const answer = await auth.callAsBank({ method, path: `/operator${path}`, ...sent }, "operator");
      const requestId = String(answer.headers["x-request-id"]);
      return { status: answer.status, requestId, text: answer.body, json: JSON.parse(answer.body) };
    },
    async give(application, username) {
      const used = await codeFor(auth, application, { username });
      const answer = JSON.parse((await redeem(auth, application, used)).body);
      const { access_token: accessToken, refresh_token: refreshToken } = answer;
      const { consent_id: consentId } = await contentOf(accessToken);
      return { application, consentId, code: used, accessToken, refreshToken };
    },
    refresh: ({ application, refreshToken }) => refresh(auth, application, refreshToken),
    register: (certificate = "all-roles") => register(auth, {}, certificate),
    isActive: async (token) => (await contentOf(token)).active === true,
    stop: () => auth.stop(),
  };
}
