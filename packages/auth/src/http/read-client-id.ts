import { EdgeRefusal } from "@cobs/service-edge";
import { decodeJwt } from "jose";
import { BASIC_CHALLENGE, ClientRefusal } from "../provider/client-refusal.ts";

/** Base64 as the provider reads it: fully padded, or not at all. */
const BASIC = /^Basic ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/i;
/** RFC 6749 appendix A.1, A.2. */
const VSCHAR = /^[\x20-\x7e]*$/;

/** Where an endpoint accepts a client id, in words; a pushed request has it among its parameters (RFC 9126 2.1). */
export type ClientIdPlace = "the body" | "the body, or in Authorization: Basic";

const UNREADABLE =
  "client authentication failed: Authorization must be Basic with the Base64 of client_id:secret, each form-encoded";

interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Whether Basic has an empty secret, for which the provider does not answer `invalid_client`. */
export function isSecretEmpty(authorization: string | undefined): boolean {
  return readBasic(authorization)?.secret === "";
}

/** Reads the credentials in Basic (RFC 7617 2); undefined also when the provider would read none. */
function readBasic(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = BASIC.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon === -1) return undefined;
  const [id, secret] = [decodePart(text.slice(0, colon)), decodePart(text.slice(colon + 1))];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function decodePart(encoded: string): string | undefined {
  try {
    // RFC 6749 2.3.1: form-encoded inside Basic.
    const decoded = decodeURIComponent(encoded.replaceAll("+", "%20"));
    return VSCHAR.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** The client that an assertion names (RFC 7523 3), read as the provider reads it; the provider refuses an unreadable one. */
function subjectOf(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the one client id that a request names: in its body, in Basic (RFC 6749 2.3.1), in its assertion (RFC 7523 3)
 * or in several of these; nothing is authenticated yet. Refuses none and several with `body_malformed`: the client
 * checked here must be the one that the provider authenticates. Refuses any other `Authorization` as a client
 * (RFC 6749 5.2), which the provider would call a malformed request. `place` goes into the message when there is none.
 */
export function readClientId(
  form: URLSearchParams,
  authorization: string | undefined,
  place: ClientIdPlace,
): string {
  const basic = readBasic(authorization);
  // An empty header counts as missing.
  if (basic === undefined && authorization)
    throw new ClientRefusal("authorization_unreadable", UNREADABLE, { challenge: BASIC_CHALLENGE });
  const inAssertions = form.getAll("client_assertion").map(subjectOf);
  // RFC 6749 3.2: an empty value counts as missing.
  const inBody = form.getAll("client_id").filter((each) => each !== "");
  const given = [...inBody, basic?.id, ...inAssertions];
  const named = new Set(given.filter((each) => each !== undefined));
  const [id, ...others] = named;
  if (id === undefined) throw refuse(`client_id is missing: send it in ${place}`);
  if (others.length > 0) {
    throw refuse(
      "client_id has different values in the body, Authorization: Basic or the sub of the assertion",
    );
  }
  return id;
}

function refuse(message: string): EdgeRefusal {
  return new EdgeRefusal("body_malformed", message, { path: "client_id" });
}
