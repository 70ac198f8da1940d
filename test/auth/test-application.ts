import type { RawAnswer } from "../support/raw-https.ts";
import type { RunningAuth } from "./running-auth.ts";

export const APPLICATIONS = "/cobs/2.0/applications";
export const REDIRECT_URI = "https://tpp.example/callback";

/** Default registration of tests. */
export const REGISTRATION = {
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: [REDIRECT_URI],
  scopes: ["aisp", "pisp"],
};

export const JSON_BODY = { "content-type": "application/json" };
export const FORM_BODY = { "content-type": "application/x-www-form-urlencoded" };

/** An application that a test registered. */
export interface TestApplication {
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: readonly string[];
  readonly certificate: string;
}

/** Posts any registration. */
export function postRegistration(
  auth: RunningAuth,
  body: unknown,
  certificate?: string | null,
): Promise<RawAnswer> {
  const sent = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const shown = certificate === undefined ? {} : { certificate };
  return auth.call({ ...shown, method: "POST", path: APPLICATIONS, headers: JSON_BODY, body: sent });
}

/** Registers an application and returns the answer's content; throws if refused. */
export async function register(
  auth: RunningAuth,
  changed: Readonly<Record<string, unknown>> = {},
  certificate = "aisp-pisp",
): Promise<TestApplication> {
  const answer = await postRegistration(auth, { ...REGISTRATION, ...changed }, certificate);
  if (answer.status !== 201) throw new Error(`registration gave ${answer.status} ${answer.body}`);
  return { ...JSON.parse(answer.body), certificate };
}

/** Posts a form to the API host, by default with the client's own credentials. */
export function postForm(
  auth: RunningAuth,
  path: string,
  application: TestApplication,
  fields: Readonly<Record<string, string>>,
  certificate: string | null = application.certificate,
): Promise<RawAnswer> {
  const { client_id, client_secret } = application;
  const body = new URLSearchParams({ client_id, client_secret, ...fields }).toString();
  return auth.call({ certificate, method: "POST", path, headers: FORM_BODY, body });
}
