/** Refusals of registrations and of managing applications. A table. */
import type { RawAnswer } from "../../support/raw-https.ts";
import { ISSUER, type RunningAuth } from "../running-auth.ts";
import { APPLICATIONS, JSON_BODY, REDIRECT_URI, REGISTRATION } from "../test-application.ts";
import { type Ask, type EndpointErrors, json, row } from "./error-row.ts";
import type { ErrorStage } from "./error-stage.ts";

/** Parts of a call; a part that is left out is correct. */
interface Attempt {
  readonly server?: RunningAuth;
  readonly certificate?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Id in the application's path; by default its own. */
  readonly id?: string;
}

const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";
const CALLS = [
  "POST",
  "GET",
  "PUT id",
  "GET id",
  "DELETE id",
  "POST id/renewSecret",
  "POST id/renewKey",
] as const;
type Call = (typeof CALLS)[number];

const pathOf = (place: string, id: string) =>
  place === "" ? APPLICATIONS : `${APPLICATIONS}/${place.replace("id", () => id)}`;

function send(stage: ErrorStage, call: Call, attempt: Attempt): Promise<RawAnswer> {
  const {
    server = stage.auth,
    certificate = "aisp-pisp",
    headers = {},
    id = stage.sibling.client_id,
  } = attempt;
  const [method = "", place = ""] = call.split(" ");
  const hasBody = call === "POST" || method === "PUT";
  const { body = REGISTRATION } = attempt;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return server.call({
    certificate,
    method,
    path: pathOf(place, id),
    headers: { ...(hasBody && JSON_BODY), ...headers },
    ...(hasBody && { body: text }),
  });
}

type Attempting = (stage: ErrorStage) => Attempt;
const at =
  (call: Call, attempting: Attempting): Ask =>
  (stage) =>
    send(stage, call, attempting(stage));
const everywhere = (attempting: Attempting): Ask[] => CALLS.map((call) => at(call, attempting));
const withId = (attempting: Attempting): Ask[] =>
  CALLS.filter((call) => call.includes("id")).map((call) => at(call, attempting));
/** A registration and a replacement that are correct except for the changes. */
const registering = (...changes: readonly Readonly<Record<string, unknown>>[]): Ask[] =>
  changes.flatMap((changed) =>
    (["POST", "PUT id"] as const).map((call) => at(call, () => ({ body: { ...REGISTRATION, ...changed } }))),
  );
const sending = (...bodies: readonly string[]): Ask[] =>
  bodies.flatMap((body) => (["POST", "PUT id"] as const).map((call) => at(call, () => ({ body }))));

const invalidRequest = json(400, "invalid_request");

const withoutRevocation: Attempting = ({ silent: { auth, application } }) => ({
  server: auth,
  id: application.client_id,
});

const CHANGES = ["PUT id", "DELETE id", "POST id/renewSecret"] as const;
const WITH_PUBLISHED_KEYS = {
  ...REGISTRATION,
  token_endpoint_auth_method: "private_key_jwt",
  jwks_uri: "https://tpp.example/jwks",
};

const EVERY_ERRORS: EndpointErrors = {
  endpoint: "`/cobs/2.0/applications…`",
  rows: [
    row("no certificate", json(401, "unauthorized_client"), ...everywhere(() => ({ certificate: null }))),
    row(
      "a certificate that is refused",
      json(401, "access_denied"),
      ...everywhere(() => ({ certificate: "wrong-unknown-ca" })),
      ...everywhere(() => ({ certificate: "wrong-expired" })),
      ...everywhere(() => ({ certificate: "wrong-psp-as-only" })),
    ),
    row(
      "the TPP is blocked",
      json(401, "access_denied"),
      ...CALLS.map(
        (call): Ask =>
          (stage) => {
            const { organisationIdentifier: tpp } = stage.auth.tpp("second-tpp");
            const attempt = { certificate: "second-tpp", id: stage.foreign.client_id };
            return stage.whileBlocked({ tpp }, () => send(stage, call, attempt));
          },
      ),
    ),
    row(
      "the certificate is blocked",
      json(401, "access_denied"),
      ...CALLS.map(
        (call): Ask =>
          (stage) => {
            const { thumbprint } = stage.auth.tpp("all-roles-renewed");
            return stage.whileBlocked({ certificate: thumbprint }, () =>
              send(stage, call, { certificate: "all-roles-renewed" }),
            );
          },
      ),
    ),
    row(
      "an application that is unknown or another TPP's",
      json(401, "invalid_client"),
      ...withId(() => ({ id: UNKNOWN })),
      ...withId(() => ({ id: "%00" })),
      ...withId(({ foreign }) => ({ id: foreign.client_id })),
    ),
    row(
      "the browser host instead of the API host",
      json(401, "unauthorized_client"),
      ...CALLS.map(
        (call): Ask =>
          ({ auth, sibling }) => {
            const [method = "", place = ""] = call.split(" ");
            return auth.browse({ method, path: pathOf(place, sibling.client_id) });
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
      ...everywhere(({ silent: { auth, application } }) => ({ server: auth, id: application.client_id })),
    ),
    row(
      "another method",
      json(405, "invalid_request"),
      ...["PATCH", "DELETE", "OPTIONS"].map(
        (method): Ask =>
          ({ auth }) =>
            auth.call({ method, path: APPLICATIONS }),
      ),
    ),
    row(
      "an `If-Match` that does not name the state of the application, or an `If-None-Match` that does",
      json(412, "invalid_request"),
      ...CHANGES.map((call) => at(call, () => ({ headers: { "if-match": '"other"' } }))),
      at("PUT id", () => ({ headers: { "if-match": 'W/"other", "another"' } })),
      at("GET id", () => ({ headers: { "if-match": '"other"' } })),
      ...CHANGES.map((call) => at(call, () => ({ headers: { "if-none-match": "*" } }))),
    ),
    row(
      "an `If-Match` or `If-None-Match` that cannot be read",
      invalidRequest,
      ...CHANGES.map((call) => at(call, () => ({ headers: { "if-match": "other" } }))),
      at("GET id", () => ({ headers: { "if-none-match": "other" } })),
    ),
    row("percent-encoding that does not decode", invalidRequest, ({ auth }) =>
      auth.call({ path: `${APPLICATIONS}/%E0%A4%A` }),
    ),
    row("too many changes", json(429, "temporarily_unavailable"), async (stage) => {
      const { auth: server, application } = stage.limited;
      await send(stage, "POST id/renewSecret", { server, id: application.client_id });
      return send(stage, "POST id/renewSecret", { server, id: application.client_id });
    }),
    row("too many lists", json(429, "temporarily_unavailable"), async ({ limited: { auth: server } }) => {
      const list = () => server.call({ path: APPLICATIONS });
      await Promise.all(Array.from({ length: 60 }, list));
      return list();
    }),
  ],
};

const CONTENT_ERRORS: EndpointErrors = {
  endpoint: "`/cobs/2.0/applications…`, a registration or its replacement",
  rows: [
    row(
      "a body that is no JSON object, or has a member twice",
      invalidRequest,
      ...sending("", "{", "[]", "null", '"text"', `{"client_name":"a","client_name":"b"}`),
    ),
    row(
      "a body of more than 64 kB",
      json(413, "invalid_request"),
      ...registering({ client_name: "a".repeat(70_000) }),
    ),
    row(
      "another media type than JSON",
      json(415, "invalid_request"),
      at("POST", () => ({ headers: { "content-type": "text/plain" } })),
      at("PUT id", () => ({ headers: { "content-type": "application/x-www-form-urlencoded" } })),
    ),
    row(
      "a member that is missing or malformed",
      invalidRequest,
      ...registering(
        { client_name: undefined },
        { client_name: 7 },
        { redirect_uris: undefined },
        { applicationType: "desktop" },
        { scopes: "aisp" },
        { token_endpoint_auth_method: "none" },
        { jwks_uri: "http://tpp.example/jwks" },
      ),
    ),
    row(
      "no keys for `private_key_jwt`, or both `jwks` and `jwks_uri`",
      invalidRequest,
      ...registering(
        { token_endpoint_auth_method: "private_key_jwt" },
        { ...WITH_PUBLISHED_KEYS, jwks: { keys: [] } },
      ),
    ),
    row(
      "`jwks_uri` where the bank fetches no keys",
      invalidRequest,
      at("POST", ({ strict }) => ({ server: strict, body: WITH_PUBLISHED_KEYS })),
      at("PUT id", ({ strict }) => ({ server: strict, body: WITH_PUBLISHED_KEYS })),
    ),
    row(
      "more applications than a TPP may have",
      invalidRequest,
      at("POST", ({ strict }) => ({
        server: strict,
        body: { ...REGISTRATION, token_endpoint_auth_method: "tls_client_auth" },
      })),
    ),
    row(
      "no return address, or one that no application may have, such as one at the bank itself",
      json(400, "invalid_redirect_uri"),
      ...registering(
        { redirect_uris: [] },
        { redirect_uris: ["http://tpp.example/"] },
        { redirect_uris: [`${REDIRECT_URI}#fragment`] },
        { redirect_uris: ["javascript:alert(1)"] },
        { redirect_uris: ["https://*.example/"] },
        { redirect_uris: [`${REDIRECT_URI}?code=mine`] },
        { redirect_uris: [`${ISSUER}/oauth/authorize`] },
      ),
    ),
    row("an unknown scope", json(400, "invalid_scope"), ...registering({ scopes: ["admin"] })),
    row(
      "`pisp` at a bank without payments",
      json(400, "invalid_scope"),
      at("POST", ({ withoutPayments }) => ({ server: withoutPayments })),
    ),
    row(
      "a scope that the certificate has no role for",
      json(403, "insufficient_scope"),
      at("POST", () => ({ certificate: "aisp" })),
      at("POST", () => ({ certificate: "cisp" })),
      at("PUT id", () => ({ certificate: "aisp" })),
    ),
    row(
      "profile `cobs` where the bank requires `fapi2`",
      invalidRequest,
      at("POST", ({ strict }) => ({ server: strict })),
      at("PUT id", ({ strict }) => ({ server: strict })),
    ),
    row(
      "back from profile `fapi2` to a secret",
      invalidRequest,
      at("PUT id", ({ certified: { client_id } }) => ({
        id: client_id,
        body: { ...REGISTRATION, token_endpoint_auth_method: "client_secret_post" },
      })),
    ),
    row(
      "no id to replace, or two",
      invalidRequest,
      ({ auth }) =>
        auth.call({
          method: "PUT",
          path: APPLICATIONS,
          headers: JSON_BODY,
          body: JSON.stringify(REGISTRATION),
        }),
      at("PUT id", ({ application: { client_id } }) => ({ body: { ...REGISTRATION, client_id } })),
    ),
    row(
      "nobody says whether the certificate was revoked",
      json(503, "server_error"),
      ...(["POST", "PUT id"] as const).map((call) => at(call, withoutRevocation)),
    ),
  ],
};

const SECRET_ERRORS: EndpointErrors = {
  endpoint: "`/cobs/2.0/applications/{id}/renewSecret`",
  rows: [
    row("the application has no secret", invalidRequest, ({ auth, certified: { client_id } }) =>
      auth.call({ method: "POST", path: `${APPLICATIONS}/${client_id}/renewSecret` }),
    ),
    row(
      "nobody says whether the certificate was revoked",
      json(503, "server_error"),
      at("POST id/renewSecret", withoutRevocation),
    ),
  ],
};

/** Refusals to a TPP that manages its applications. */
export const APPLICATION_ERRORS: readonly EndpointErrors[] = [EVERY_ERRORS, CONTENT_ERRORS, SECRET_ERRORS];
