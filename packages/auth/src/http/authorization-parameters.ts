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
/** A type and a mode that the provider does not know either, whose refusal goes back in the query. */
const UNKNOWN = "unsupported";

const REFERENCE = "urn:ietf:params:oauth:request_uri:";

/**
 * The provider reads a reference up to the next place where its beginning comes again. Every such text would open the same pushed
 * request, and each would be counted as another one.
 */
function referenceAlone([name, value]: [string, string]): [string, string] {
  const isTwice = name === "request_uri" && value.startsWith(REFERENCE) && value.lastIndexOf(REFERENCE) > 0;
  return isTwice ? [name, `${REFERENCE}${UNKNOWN}`] : [name, value];
}

/** The provider knows more types and ways to answer than are offered, and would answer the refusal of one in its very way. */
function offeredAlone([name, value]: [string, string]): [string, string] {
  const offered = OFFERED.get(name);
  return offered === undefined || offered.includes(value) ? [name, value] : [name, UNKNOWN];
}

/**
 * Without a type the provider derives no mode either, and would name the mode in its refusal, which nobody sent. What has no value
 * is not there (RFC 6749 3.1).
 */
function lacksType(parameters: URLSearchParams): boolean {
  return ["request_uri", "response_type", "response_mode"].every((name) => !parameters.get(name));
}

/** Whether a parameter holds NUL, which none may (RFC 6749 appendix A) and the database cannot. */
export function holdsNul(parameters: URLSearchParams): boolean {
  return [...parameters.values()].some((value) => value.includes("\0"));
}

/**
 * The parameters of an authorization request as the provider is to read them. Those that OpenID Connect alone knows are
 * left out: they have to be ignored (RFC 6749 3.1), where the provider would refuse them without the scope `openid`; what
 * `max_age` asks for is done for every request. The one mode that is offered is named where no type is (RFC 6749 4.1.2.1).
 */
export function readAuthorizationParameters(sent: URLSearchParams): URLSearchParams {
  const kept = [...sent].filter(([name]) => !OPENID_PARAMETERS.includes(name));
  const parameters = new URLSearchParams(kept.map(offeredAlone).map(referenceAlone));
  if (lacksType(parameters)) parameters.set("response_mode", "query");
  return parameters;
}

/** The same of a request that is pushed (RFC 9126 2.1); refuses NUL with `body_malformed`. */
export function readPushedParameters(form: URLSearchParams): URLSearchParams {
  if (holdsNul(form)) throw new EdgeRefusal("body_malformed", "a parameter holds NUL");
  return readAuthorizationParameters(form);
}
