/** Refusals that the three endpoints for clients share: who calls, and with what. A table. */
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import type { RawAnswer } from "../../support/raw-https.ts";
import { pushedFields } from "../profiles/fapi2-application.ts";
import { ISSUER, type RunningAuth } from "../running-auth.ts";
import { FORM_BODY, JSON_BODY, type TestApplication } from "../test-application.ts";
import { type Ask, challengedRow, type EndpointErrors, json, row } from "./error-row.ts";
import type { ErrorStage } from "./error-stage.ts";

const PATHS = ["/oauth/token", "/oauth/par", "/oauth/revoke"] as const;
type Path = (typeof PATHS)[number];
type Fields = Readonly<Record<string, string>>;

const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const now = () => Math.floor(Date.now() / 1000);
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

/** Parts of a call; a part that is left out is correct. */
interface Attempt {
  readonly server?: RunningAuth;
  readonly application?: Pick<TestApplication, "client_id" | "certificate">;
  readonly certificate?: string | null;
  readonly credentials?: Fields;
  readonly headers?: Fields;
  /** Appended to the form, which is correct. */
  readonly more?: string;
  /** Sent instead of the form. */
  readonly body?: string;
  readonly method?: string;
}

/** A form that is correct except for the credentials. */
function formOf(path: Path, client_id: string): Fields {
  switch (path) {
    case "/oauth/token":
      return { grant_type: "refresh_token", refresh_token: "none" };
    case "/oauth/par":
      return pushedFields({ client_id });
    case "/oauth/revoke":
      return { token: "none" };
  }
}

function send(stage: ErrorStage, path: Path, attempt: Attempt): Promise<RawAnswer> {
  const { server = stage.auth, application = stage.application, more = "", headers = {} } = attempt;
  const { client_id, client_secret } = stage.application;
  const credentials = attempt.credentials ?? { client_id, client_secret };
  const { client_id: _, ...rest } = formOf(path, application.client_id);
  const form = `${new URLSearchParams({ ...rest, ...credentials })}${more}`;
  return server.call({
    certificate: attempt.certificate === undefined ? application.certificate : attempt.certificate,
    method: attempt.method ?? "POST",
    path,
    headers: { ...FORM_BODY, ...headers },
    body: attempt.body ?? form,
  });
}

type Attempting = (stage: ErrorStage) => Attempt | Promise<Attempt>;

const at =
  (path: Path, attempting: Attempting): Ask =>
  async (stage) =>
    send(stage, path, await attempting(stage));
/** The same attempts at all three endpoints. */
const everywhere = (...attempts: readonly Attempting[]): Ask[] =>
  attempts.flatMap((attempting) => PATHS.map((path) => at(path, attempting)));

/** The application with a key, whose assertion has a wrong claim. */
const asserting =
  (changed: Readonly<Record<string, unknown>>): Attempting =>
  async ({ keyed }) => ({ application: keyed, credentials: await keyed.credentials(changed) });
const badlySigned =
  (sign: (claims: Readonly<Record<string, string | number>>) => Promise<string>): Attempting =>
  async ({ keyed }) => {
    const { client_id } = keyed;
    const claims = {
      iss: client_id,
      sub: client_id,
      aud: ISSUER,
      jti: String(Math.random()),
      exp: now() + 60,
    };
    const credentials = { client_assertion_type: ASSERTION_TYPE, client_assertion: await sign(claims) };
    return { application: keyed, credentials };
  };
function byStranger(alg: string): Attempting {
  // One pair for all endpoints: generating an RSA key takes longer than all the calls that use it.
  let pair: ReturnType<typeof generateKeyPair> | undefined;
  return badlySigned(async (claims) => {
    pair ??= generateKeyPair(alg);
    return new SignJWT(claims).setProtectedHeader({ alg }).sign((await pair).privateKey);
  });
}

const invalidClient = json(401, "invalid_client");
const invalidRequest = json(400, "invalid_request");

/** One row per cause, tried at each of the three endpoints. */
export const CLIENT_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/token`, `/oauth/par`, `/oauth/revoke`",
  rows: [
    row("no certificate", invalidClient, ...everywhere(() => ({ certificate: null }))),
    row(
      "a certificate that is refused",
      invalidClient,
      ...["wrong-unknown-ca", "wrong-expired", "wrong-qsealc", "wrong-psp-as-only"].flatMap((certificate) =>
        everywhere(() => ({ certificate })),
      ),
    ),
    row(
      "the certificate of another TPP",
      invalidClient,
      ...everywhere(() => ({ certificate: "second-tpp" })),
    ),
    row(
      "the TPP is blocked",
      invalidClient,
      ...PATHS.map(
        (path): Ask =>
          (stage) => {
            const { organisationIdentifier: tpp } = stage.auth.tpp("second-tpp");
            const { client_id, client_secret } = stage.foreign;
            const attempt = { application: stage.foreign, credentials: { client_id, client_secret } };
            return stage.whileBlocked({ tpp }, () => send(stage, path, attempt));
          },
      ),
    ),
    row(
      "the certificate is blocked",
      invalidClient,
      ...PATHS.map(
        (path): Ask =>
          (stage) => {
            const { thumbprint } = stage.auth.tpp("all-roles-renewed");
            const certificate = "all-roles-renewed";
            return stage.whileBlocked({ certificate: thumbprint }, () => send(stage, path, { certificate }));
          },
      ),
    ),
    row(
      "an unknown application",
      invalidClient,
      ...everywhere(
        ({ application }) => ({ credentials: { ...application, client_id: UNKNOWN, scopes: "" } }),
        () => ({ credentials: { client_id: "\0" } }),
      ),
    ),
    row(
      "an application of another TPP",
      invalidClient,
      ...everywhere(({ foreign: { client_id, client_secret } }) => ({
        credentials: { client_id, client_secret },
      })),
    ),
    row(
      "a wrong secret",
      invalidClient,
      ...everywhere(
        ({ application: { client_id } }) => ({ credentials: { client_id, client_secret: "wrong" } }),
        ({ application: { client_id }, sibling }) => ({
          credentials: { client_id, client_secret: sibling.client_secret },
        }),
        ({ application: { client_id } }) => ({ credentials: { client_id, client_secret: "" } }),
      ),
    ),
    row(
      "no secret",
      invalidClient,
      ...everywhere(({ application: { client_id } }) => ({ credentials: { client_id } })),
    ),
    challengedRow(
      "any of these, with an `Authorization` header",
      invalidClient,
      ...everywhere(
        ({ application: { client_id } }) => ({ credentials: {}, headers: basic(client_id, "wrong") }),
        ({ application: { client_id } }) => ({ credentials: {}, headers: basic(client_id, "") }),
        () => ({ credentials: {}, headers: basic(UNKNOWN, "wrong") }),
        ({ application: { client_id, client_secret } }) => ({
          credentials: {},
          certificate: null,
          headers: basic(client_id, client_secret),
        }),
        ({ foreign: { client_id, client_secret } }) => ({
          credentials: {},
          headers: basic(client_id, client_secret),
        }),
      ),
    ),
    challengedRow(
      "an `Authorization` header that is not Basic with an id and a secret",
      invalidClient,
      ...everywhere(
        ...["Bearer abc", "Basic", "Basic !!", "Basic YWJjZ", `Basic ${btoa(UNKNOWN)}`, "Digest a=b"].map(
          (authorization): Attempting =>
            ({ application: { client_id } }) => ({ credentials: { client_id }, headers: { authorization } }),
        ),
        ({ certified: { client_id } }) => ({
          credentials: { client_id },
          headers: { authorization: "Bearer abc" },
        }),
        ...["%zz", "\u00e9", "a\0"].map(
          (secret): Attempting =>
            ({ application: { client_id } }) => ({ credentials: {}, headers: basic(client_id, secret) }),
        ),
        () => ({ credentials: {}, headers: basic("%zz", "secret") }),
      ),
    ),
    row(
      "no application is named, or two",
      invalidRequest,
      ...everywhere(
        () => ({ credentials: {} }),
        () => ({ credentials: { client_id: "", client_secret: "" } }),
        ({ sibling }) => ({ more: `&client_id=${sibling.client_id}` }),
        ({ sibling }) => ({ headers: basic(sibling.client_id, sibling.client_secret) }),
        async ({ keyed }) => ({ more: `&${new URLSearchParams(await keyed.credentials())}` }),
      ),
    ),
    row(
      "two ways to authenticate",
      invalidRequest,
      ...everywhere(
        ({ application: { client_id, client_secret } }) => ({ headers: basic(client_id, client_secret) }),
        async ({ keyed }) => ({
          application: keyed,
          credentials: { ...(await keyed.credentials()), client_secret: "secret" },
        }),
      ),
    ),
    row(
      "an assertion, or a certificate alone, of an application with a secret",
      invalidClient,
      ...everywhere(async ({ application: { client_id }, keyed }) => ({
        credentials: await keyed.credentials({ iss: client_id, sub: client_id }),
      })),
    ),
    row(
      "a secret, or a certificate alone, of an application with a key",
      invalidClient,
      ...everywhere(
        ({ keyed: { client_id } }) => ({ credentials: { client_id, client_secret: "secret" } }),
        ({ keyed: { client_id } }) => ({ credentials: { client_id } }),
      ),
    ),
    row(
      "a secret or an assertion of an application with its certificate",
      invalidClient,
      ...everywhere(
        ({ certified: { client_id } }) => ({ credentials: { client_id, client_secret: "secret" } }),
        async ({ certified: { client_id }, keyed }) => ({
          credentials: await keyed.credentials({ iss: client_id, sub: client_id }),
        }),
      ),
    ),
    row(
      "an assertion with a wrong `iss`",
      invalidClient,
      ...everywhere(asserting({ iss: "other" }), asserting({ iss: undefined })),
    ),
    row(
      "an assertion without `sub`, or with several",
      invalidRequest,
      ...everywhere(asserting({ sub: undefined }), asserting({ sub: [UNKNOWN] })),
    ),
    row(
      "an assertion with an unknown `sub`",
      invalidClient,
      ...everywhere(asserting({ sub: UNKNOWN, iss: UNKNOWN })),
    ),
    row(
      "an assertion whose `aud` is not the issuer as a text",
      invalidClient,
      ...everywhere(
        asserting({ aud: undefined }),
        asserting({ aud: [ISSUER] }),
        asserting({ aud: `${ISSUER}/` }),
        asserting({ aud: "https://localhost:8444/oauth/token" }),
      ),
    ),
    row(
      "an assertion whose `exp` is missing, over, too far away or no number",
      invalidClient,
      ...everywhere(
        asserting({ exp: undefined }),
        async ({ keyed }) => ({
          application: keyed,
          credentials: await keyed.credentials({ exp: now() - 60 }),
        }),
        async ({ keyed }) => ({
          application: keyed,
          credentials: await keyed.credentials({ exp: now() + 86_400 }),
        }),
        asserting({ exp: "soon" }),
      ),
    ),
    row(
      "an assertion whose `nbf` or `iat` is ahead, or no number",
      invalidClient,
      ...everywhere(
        async ({ keyed }) => ({
          application: keyed,
          credentials: await keyed.credentials({ nbf: now() + 61 }),
        }),
        async ({ keyed }) => ({
          application: keyed,
          credentials: await keyed.credentials({ iat: now() + 61 }),
        }),
        asserting({ nbf: "now" }),
        asserting({ iat: "now" }),
      ),
    ),
    row(
      "an assertion whose `jti` is missing or no text",
      invalidClient,
      ...everywhere(asserting({ jti: undefined }), asserting({ jti: 7 })),
    ),
    row(
      "an assertion that was used",
      invalidClient,
      ...everywhere(async (stage) => {
        const credentials = await stage.keyed.credentials();
        await send(stage, "/oauth/revoke", { application: stage.keyed, credentials });
        return { application: stage.keyed, credentials };
      }),
    ),
    row(
      "an assertion that another key signed, another algorithm, or none",
      invalidClient,
      ...everywhere(
        byStranger("ES256"),
        byStranger("RS256"),
        byStranger("ES384"),
        badlySigned(async (claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(UNKNOWN.padEnd(32))),
        ),
        badlySigned(async (claims) => new UnsecuredJWT(claims).encode()),
      ),
    ),
    row(
      "an assertion that two readers could understand differently",
      invalidClient,
      ...everywhere(asserting({ nested: JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) })),
    ),
    row(
      "an assertion that is none, or of another type",
      invalidRequest,
      ...everywhere(
        ({ keyed }) => ({
          application: keyed,
          credentials: { client_assertion_type: ASSERTION_TYPE, client_assertion: "a.b.c" },
        }),
        async ({ keyed }) => ({
          application: keyed,
          credentials: {
            ...(await keyed.credentials()),
            client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
          },
        }),
      ),
    ),
    row(
      "an assertion with the certificate of another TPP",
      invalidClient,
      ...everywhere(async ({ keyed }) => ({
        application: keyed,
        certificate: "second-tpp",
        credentials: await keyed.credentials(),
      })),
    ),
    row(
      "a body that is no form in UTF-8, or is compressed",
      json(415, "invalid_request"),
      ...everywhere(
        () => ({ headers: JSON_BODY, body: "{}" }),
        () => ({ headers: { "content-type": "application/x-www-form-urlencoded; charset=latin1" } }),
        () => ({ headers: { "content-type": "" } }),
        () => ({
          headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" },
        }),
      ),
    ),
    row("percent signs that encode no UTF-8", invalidRequest, ...everywhere(() => ({ more: "&a=%E8" }))),
    row(
      "a body beyond 56 kB, form-encoded",
      json(413, "invalid_request"),
      ...everywhere(
        () => ({ more: `&a=${"b".repeat(60_000)}` }),
        () => ({ more: `&a=${"/".repeat(30_000)}` }),
      ),
    ),
    row("more than 100 fields", invalidRequest, ...everywhere(() => ({ more: "&a=b".repeat(100) }))),
    row(
      "a parameter that comes twice",
      invalidRequest,
      ...everywhere(() => ({ more: "&scope=aisp&scope=pisp&token=a&token=b" })),
    ),
    row(
      "another method than `POST`",
      json(405, "invalid_request"),
      ...["GET", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) =>
        everywhere(() => ({ method, body: "" })),
      ),
    ),
    row(
      "the browser host instead of the API host",
      invalidClient,
      ...PATHS.map(
        (path): Ask =>
          ({ auth }) =>
            auth.browse({ method: "POST", path, headers: FORM_BODY, body: "a=b" }),
      ),
    ),
    row(
      "another `Host` than the API host's",
      json(421, "invalid_request"),
      ...everywhere(() => ({ headers: { host: "evil.example" } })),
    ),
    row(
      "too many calls",
      json(429, "temporarily_unavailable"),
      ...PATHS.map(
        (path): Ask =>
          async (stage) => {
            const { auth: server, application } = stage.limited;
            const { client_id, client_secret } = application;
            const attempt = { server, application, credentials: { client_id, client_secret } };
            for (let calls = 0; calls < 9; calls += 1) await send(stage, path, attempt);
            return send(stage, path, attempt);
          },
      ),
    ),
    row(
      "the database is down",
      json(503, "server_error"),
      ...everywhere(({ severed }) => ({ server: severed })),
    ),
    row(
      "nobody says whether the certificate was revoked, for longer than the grace",
      json(503, "server_error"),
      ...everywhere(({ silent: { auth: server, application } }) => {
        const { client_id, client_secret } = application;
        return { server, application, credentials: { client_id, client_secret } };
      }),
    ),
  ],
};
