import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { RawAnswer } from "../../support/raw-https.ts";
import { ISSUER, type RunningAuth } from "../running-auth.ts";
import { FORM_BODY, REDIRECT_URI, REGISTRATION, register } from "../test-application.ts";

/** base64url(SHA-256(VERIFIER)), RFC 7636 4.2. */
export const VERIFIER = "a".repeat(43);
export const CHALLENGE = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Claims of an assertion that replace the correct ones; undefined leaves a claim out. */
export type ChangedClaims = Readonly<Record<string, unknown>>;

/** An application of profile fapi2 that a test registered. */
export interface Fapi2Application {
  readonly client_id: string;
  readonly certificate: string;
  /** Fields that authenticate a call; they work for one call. */
  credentials(changed?: ChangedClaims): Promise<Readonly<Record<string, string>>>;
}

type Algorithm = "ES256" | "PS256" | "EdDSA";

/** Makes a key: its part in a registration, and its use by the registered application. */
export async function createKey(alg: Algorithm = "ES256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwks = { keys: [await exportJWK(publicKey)] };
  const credentialsOf = async (client_id: string, changed: ChangedClaims) => {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: client_id, sub: client_id, aud: ISSUER, jti: randomUUID(), iat: now, exp: now + 60 };
    const assertion = new SignJWT({ ...right, ...changed }).setProtectedHeader({ alg });
    return { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion.sign(privateKey) };
  };
  const applicationOf = (client_id: string, certificate: string): Fapi2Application => ({
    client_id,
    certificate,
    credentials: (changed = {}) => credentialsOf(client_id, changed),
  });
  return { members: { ...REGISTRATION, token_endpoint_auth_method: "private_key_jwt", jwks }, applicationOf };
}

/** Registers an application that signs assertions. */
export async function registerWithKey(
  auth: RunningAuth,
  { alg, certificate = "aisp-pisp" }: { alg?: Algorithm; certificate?: string } = {},
): Promise<Fapi2Application> {
  const { members, applicationOf } = await createKey(alg);
  const { client_id } = await register(auth, members, certificate);
  return applicationOf(client_id, certificate);
}

/** Registers an application that authenticates with its certificate. */
export async function registerWithCertificate(
  auth: RunningAuth,
  certificate = "aisp-pisp",
): Promise<Fapi2Application> {
  const members = { ...REGISTRATION, token_endpoint_auth_method: "tls_client_auth" };
  const { client_id } = await register(auth, members, certificate);
  return { client_id, certificate, credentials: async () => ({ client_id }) };
}

/** Posts a form to the API host, with fresh credentials unless the fields have some. */
export async function postAs(
  auth: RunningAuth,
  application: Fapi2Application,
  path: string,
  fields: Readonly<Record<string, string>>,
  certificate: string | null = application.certificate,
): Promise<RawAnswer> {
  const credentials = "client_assertion" in fields ? {} : await application.credentials();
  const body = new URLSearchParams({ ...credentials, ...fields }).toString();
  return auth.call({ certificate, method: "POST", path, headers: FORM_BODY, body });
}

/** Parameters that a test pushes by default; undefined removes one. */
export function pushedFields(
  { client_id }: Pick<Fapi2Application, "client_id">,
  changed: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  const fields = {
    client_id,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "aisp",
    state: "xyz",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...changed,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Pushes a request and returns its reference; throws if refused. */
export async function push(
  auth: RunningAuth,
  application: Fapi2Application,
  changed: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const answer = await postAs(auth, application, "/oauth/par", pushedFields(application, changed));
  if (answer.status !== 201) throw new Error(`pushing gave ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body).request_uri;
}

/** Parameters of an authorization that names only a pushed request, for `authorizePath`. */
export function byReference(
  request_uri: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string | undefined>> {
  const nothing = { response_type: undefined, redirect_uri: undefined, scope: undefined, state: undefined };
  return { ...nothing, request_uri, ...more };
}
