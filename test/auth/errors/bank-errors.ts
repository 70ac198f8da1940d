/** Refusals of introspection to the bank's own services. A table. */
import type { RawAnswer } from "../../support/raw-https.ts";
import type { RunningAuth } from "../running-auth.ts";
import { FORM_BODY, JSON_BODY } from "../test-application.ts";
import { type Ask, type EndpointErrors, json, row } from "./error-row.ts";
import type { ErrorStage } from "./error-stage.ts";

/** Parts of a call; a part that is left out is correct. */
interface Attempt {
  readonly server?: RunningAuth;
  readonly caller?: "auth" | "operator";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
}

function send(stage: ErrorStage, attempt: Attempt): Promise<RawAnswer> {
  const { server = stage.auth, caller = "resource", headers = FORM_BODY, method = "POST" } = attempt;
  const body = attempt.body ?? "token=none&client_id=resource";
  return server.callAsBank({ method, path: "/oauth/introspect", headers, body }, caller);
}

const introspecting =
  (attempting: (stage: ErrorStage) => Attempt): Ask =>
  (stage) =>
    send(stage, attempting(stage));

const invalidRequest = json(400, "invalid_request");

/** A caller without a certificate of the private CA already fails in the handshake, so it has no row. */
export const BANK_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/introspect`",
  rows: [
    row(
      "a caller without the right",
      json(403, "access_denied"),
      introspecting(() => ({ caller: "operator", body: "token=none&client_id=operator" })),
      introspecting(() => ({ caller: "auth", body: "token=none&client_id=auth" })),
    ),
    row(
      "another `client_id` than the caller's",
      json(401, "invalid_client"),
      introspecting(() => ({ body: "token=none&client_id=auth" })),
      introspecting(({ application: { client_id, client_secret } }) => ({
        body: new URLSearchParams({ token: "none", client_id, client_secret }).toString(),
      })),
      introspecting(({ certified: { client_id } }) => ({ body: `token=none&client_id=${client_id}` })),
    ),
    row(
      "no `token`",
      invalidRequest,
      introspecting(() => ({ body: "client_id=resource" })),
    ),
    row(
      "no `client_id`, or a parameter that comes twice",
      invalidRequest,
      introspecting(() => ({ body: "token=none" })),
      introspecting(() => ({ body: "token=a&token=b&client_id=resource" })),
    ),
    row(
      "a body that is no form in UTF-8, or is compressed",
      json(415, "invalid_request"),
      introspecting(() => ({ headers: JSON_BODY, body: "{}" })),
    ),
    row(
      "a body beyond 56 kB, form-encoded",
      json(413, "invalid_request"),
      introspecting(() => ({ body: `client_id=resource&token=${"a".repeat(60_000)}` })),
      introspecting(() => ({ body: `client_id=resource&token=none&a=${"/".repeat(30_000)}` })),
    ),
    row(
      "more than 100 fields",
      invalidRequest,
      introspecting(() => ({ body: `client_id=resource&token=none${"&a=b".repeat(100)}` })),
    ),
    row(
      "another method than `POST`",
      json(405, "invalid_request"),
      ...["GET", "PUT", "DELETE"].map((method) => introspecting(() => ({ method, body: "" }))),
    ),
    row("too many calls", json(429, "temporarily_unavailable"), async (stage) => {
      await send(stage, { server: stage.limited.auth });
      return send(stage, { server: stage.limited.auth });
    }),
    row(
      "the database is down",
      json(503, "server_error"),
      introspecting(({ severed }) => ({ server: severed })),
    ),
  ],
};
