import { EdgeRefusal } from "@cobs/service-edge";

const OPENID_PARAMETERS = [
  "acr_values",
  "claims",
  "claims_locales",
  "id_token_hint",
  "max_age",
  "nonce",
  "registration",
];
const OFFERED: ReadonlyMap<string, readonly string[]> = new Map([
  ["response_type", ["", "code"]],
  ["response_mode", ["", "query"]],
]);
/** A type and mode unknown to the provider too, so that its refusal goes back in the query. */
const UNKNOWN = "unsupported";

const REFERENCE = "urn:ietf:params:oauth:request_uri:";
/** What a reference is sent with (RFC 9126 4). */
const WITH_REFERENCE = ["client_id", "request_uri"];

/**
 * Replaces a reference whose prefix occurs twice. The provider reads a reference only up to the second occurrence, so
 * many texts would open the same pushed request, each with its own rate limit count.
 */
function referenceAlone([name, value]: [string, string]): [string, string] {
  const isTwice = name === "request_uri" && value.startsWith(REFERENCE) && value.lastIndexOf(REFERENCE) > 0;
  return isTwice ? [name, `${REFERENCE}${UNKNOWN}`] : [name, value];
}

/** Replaces types and modes that are not offered: the provider knows more, and would send its refusal in that mode. */
function offeredAlone([name, value]: [string, string]): [string, string] {
  const offered = OFFERED.get(name);
  return offered === undefined || offered.includes(value) ? [name, value] : [name, UNKNOWN];
}

/**
 * Whether type, mode and reference are all missing or empty, which is the same (RFC 6749 3.1). Without a type the
 * provider derives no mode, and its refusal would name the mode, which nobody sent.
 */
function lacksType(parameters: URLSearchParams): boolean {
  return ["request_uri", "response_type", "response_mode"].every((name) => !parameters.get(name));
}

/** Whether a parameter holds NUL, which the standard forbids (RFC 6749 appendix A) and the database cannot store. */
export function holdsNul(parameters: URLSearchParams): boolean {
  return [...parameters.values()].some((value) => value.includes("\0"));
}

/**
 * Drops what is sent beside the reference of a pushed request, which counts alone (RFC 9101 6.3). The provider compares
 * some of it with the pushed parameters, and would send its refusal, with the pushed `state`, to the `redirect_uri` that
 * is sent beside the reference.
 */
function pushedAlone(sent: URLSearchParams): URLSearchParams {
  const isPushed = sent.getAll("request_uri").some((value) => value.startsWith(REFERENCE));
  return isPushed ? new URLSearchParams([...sent].filter(([name]) => WITH_REFERENCE.includes(name))) : sent;
}

/**
 * Rewrites parameters for the provider. Parameters that only OpenID Connect knows are dropped: they must be ignored
 * (RFC 6749 3.1), but the provider would refuse them without the scope `openid`; what `max_age` asks for is done for
 * every request. The one offered mode is named if the type is missing (RFC 6749 4.1.2.1).
 */
function rewrite(sent: URLSearchParams): URLSearchParams {
  const kept = [...sent].filter(([name]) => !OPENID_PARAMETERS.includes(name));
  const parameters = new URLSearchParams(kept.map(offeredAlone).map(referenceAlone));
  if (lacksType(parameters)) parameters.set("response_mode", "query");
  return parameters;
}

/** Rewrites the parameters of an authorization request for the provider. */
export function readAuthorizationParameters(sent: URLSearchParams): URLSearchParams {
  return rewrite(pushedAlone(sent));
}

/** Parameters that authenticate the client, and are not kept. */
const CREDENTIALS = ["client_secret", "client_assertion", "client_assertion_type"];
/**
 * Most bytes that are kept of a request, which is stored with each authorization that begins with it: a TPP may push thousands, and
 * anybody may begin some. Many servers read no longer address, and so no longer `state`, of the answer.
 */
const MOST_BYTES = 8_192;

/** Whether the parameters of a request, without credentials, have more bytes than are kept of one. */
export function isTooLong(sent: URLSearchParams): boolean {
  const kept = [...sent].filter(([name]) => !CREDENTIALS.includes(name));
  return new URLSearchParams(kept).toString().length > MOST_BYTES;
}

/**
 * Rewrites the parameters of a pushed request (RFC 9126 2.1). Refuses NUL with `body_malformed`, and what is too long with
 * `body_too_large` (RFC 9126 2.3).
 */
export function readPushedParameters(form: URLSearchParams): URLSearchParams {
  if (holdsNul(form)) throw new EdgeRefusal("body_malformed", "a parameter contains a NUL character");
  const message = `the parameters, without credentials, have more than ${MOST_BYTES} bytes when form-encoded`;
  if (isTooLong(form)) throw new EdgeRefusal("body_too_large", message);
  return rewrite(form);
}
