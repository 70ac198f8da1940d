import { parse } from "pg-connection-string";
import { Secret } from "../configuration/secret.ts";

/** Where the database of a service is: on one server, or on that one of several which is the primary at the moment. */
export interface DatabasePlace {
  /** A URL for each server, in the order in which they are tried. */
  readonly hosts: readonly [Secret, ...Secret[]];
  /** Whether a server is asked at every connection if it is the primary. */
  readonly asksForPrimary: boolean;
}

const URL_FORM =
  /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?$/;
const SHAPE = "must be postgresql://user:password@host[:port][,host[:port]…]/database";
const MAX_HOSTS = 8;
const ATTRIBUTES = "target_session_attrs";
/** What a service does with its database is done on the primary. */
const PRIMARY = ["read-write", "primary"];
const TLS_PARAMETERS = ["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"];
/** What a service sets for its connections, and the driver would sooner take from here. */
const OWN_SETTINGS: ReadonlyMap<string, string> = new Map([
  ["statement_timeout", "limits of its own"],
  ["idle_in_transaction_session_timeout", "limits of its own"],
  // By it a program knows that the service is running.
  ["application_name", "a name of its own"],
]);

/**
 * Reads a URL with one host or several, as libpq has them: node-postgres knows one. `target_session_attrs` may be `read-write`
 * or `primary`; space around the URL is none of it. Throws an `Error` that says what is wrong and repeats nothing of the URL.
 */
export function parseDatabasePlace(given: string): DatabasePlace {
  const text = given.trim();
  // The driver would pass over a line break or a tab, and know another password than whoever wrote it there.
  if (/\p{Cc}/u.test(text)) throw new Error("must be one line without control characters");
  const found = URL_FORM.exec(text)?.groups;
  if (found === undefined) throw new Error(SHAPE);
  const { start = "", path = "" } = found;
  const { query, attributes } = readQuery(found.query ?? "");
  const [first = "", ...others] = (found.hosts ?? "").split(",");
  if (others.length >= MAX_HOSTS) throw new Error(`must name ${MAX_HOSTS} hosts at most`);
  const isSeveral = others.length > 0;
  const toUrl = (host: string) => {
    const url = `${start}${host}${path}${query}`;
    if (isSeveral && (host === "" || !URL.canParse(url))) throw new Error(SHAPE);
    requireReadable(url);
    return new Secret(url);
  };
  return {
    hosts: [toUrl(first), ...others.map(toUrl)],
    asksForPrimary: isSeveral || attributes.length > 0,
  };
}

/**
 * What the driver does not understand is a fault now, and not at the first connection. It reads the files of
 * `sslcert` and `sslkey` too.
 */
function requireReadable(url: string): void {
  try {
    parse(url);
  } catch (error) {
    if (error instanceof Error && "syscall" in error && "path" in error)
      throw new Error(`names the file ${error.path}, which cannot be read`);
    throw new Error("must have user, password and name percent-encoded, and a port of at most 65535");
  }
}

/** The driver passes over what it does not know: of a misspelt word about TLS would come a connection without it. */
function requireKnownTls(query: string): void {
  const names = [...new URLSearchParams(query).keys()].filter((name) => /ssl|tls/i.test(name));
  if (!names.every((name) => TLS_PARAMETERS.includes(name)))
    throw new Error(`must say with ${TLS_PARAMETERS.join(", ")} alone whether there is TLS`);
}

function requireNoOwnSettings(query: string): void {
  for (const name of new URLSearchParams(query).keys()) {
    const own = OWN_SETTINGS.get(name);
    if (own !== undefined) throw new Error(`must not set ${name}: the service has ${own}`);
  }
}

/** The query without what node-postgres would not understand. */
function readQuery(text: string): { readonly query: string; readonly attributes: readonly string[] } {
  const parameters = text.split("&").filter((parameter) => parameter !== "");
  requireKnownTls(text);
  requireNoOwnSettings(text);
  const isAttribute = (parameter: string) => parameter.startsWith(`${ATTRIBUTES}=`);
  const attributes = parameters
    .filter(isAttribute)
    .map((parameter) => parameter.slice(ATTRIBUTES.length + 1));
  if (!attributes.every((attribute) => PRIMARY.includes(attribute)))
    throw new Error(`${ATTRIBUTES} must be ${PRIMARY.join(" or ")}`);
  const rest = parameters.filter((parameter) => !isAttribute(parameter));
  return { query: rest.length > 0 ? `?${rest.join("&")}` : "", attributes };
}
