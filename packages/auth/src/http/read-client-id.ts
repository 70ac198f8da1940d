import { EdgeRefusal } from "@cobs/service-edge";
import { decodeJwt } from "jose";

const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

const MISSING = "client_id is missing: send it in the body, or in Authorization: Basic";
const UNREADABLE =
  "client_id is missing: Authorization is not Basic with the Base64 of an id and a secret, each form-encoded";

/** Whether a secret is missing behind the name in Basic, for which the provider has no `invalid_client`. */
export function isSecretEmpty(authorization: string | undefined): boolean {
  return readBasic(authorization)?.endsWith(":") ?? false;
}

function readBasic(authorization: string | undefined): string | undefined {
  const credentials = BASIC.exec(authorization ?? "")?.[1];
  return credentials === undefined ? undefined : Buffer.from(credentials, "base64").toString("utf8");
}

function decodeUserId(credentials: string): string | undefined {
  const [userId] = credentials.split(":");
  try {
    // RFC 6749 2.3.1: form-encoded inside Basic.
    return decodeURIComponent((userId ?? "").replaceAll("+", "%20"));
  } catch {
    return undefined;
  }
}

/** Whom an assertion names (RFC 7523 3), read as the provider reads it; what cannot be read it refuses. */
function subjectOf(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The one client id that a request of a client names: in its body, in Basic (RFC 6749 2.3.1), in its assertion (RFC 7523
 * 3) or in several of them; nothing is authenticated yet. Refuses none and several with `body_malformed`: whoever is checked here
 * has to be whom the provider authenticates.
 */
export function readClientId(form: URLSearchParams, authorization: string | undefined): string {
  const credentials = readBasic(authorization);
  const inHeader = credentials === undefined ? undefined : decodeUserId(credentials);
  const inAssertions = form.getAll("client_assertion").map(subjectOf);
  // RFC 6749 3.2: what has no value counts as left out.
  const inBody = form.getAll("client_id").filter((each) => each !== "");
  const given = [...inBody, inHeader, ...inAssertions];
  const named = new Set(given.filter((each) => each !== undefined));
  const [id, ...others] = named;
  if (id === undefined) throw refuse(authorization === undefined ? MISSING : UNREADABLE);
  if (others.length > 0) {
    throw refuse(
      "client_id comes more than once, and not with one value: body, Authorization: Basic, assertion",
    );
  }
  return id;
}

function refuse(message: string): EdgeRefusal {
  return new EdgeRefusal("body_malformed", message, { path: "client_id" });
}
