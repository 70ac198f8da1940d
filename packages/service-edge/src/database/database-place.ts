import { parse } from "pg-connection-string";
import { isPathBeyondDoubt } from "../configuration/path-beyond-doubt.ts";
import { Secret } from "../configuration/secret.ts";

/** Where the database of a service is: one server, or whichever of several is the primary at the moment. */
export interface DatabasePlace {
  /** One URL per server, in the order in which they are tried. */
  readonly hosts: readonly [Secret, ...Secret[]];
  /** Whether every new connection asks the server if it is the primary. */
  readonly asksForPrimary: boolean;
}

const URL_FORM =
  /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?$/;
const SHAPE =
  "must be postgresql://user:password@host[:port][,host[:port]…]/database, with user, password and name percent-encoded";
const UNREADABLE = "must have user, password and name percent-encoded, and a port of at most 65535";
const MAX_HOSTS = 8;
const ATTRIBUTES = "target_session_attrs";
/** Values of `target_session_attrs` that ask for the primary, on which a service does all its work. */
const PRIMARY = ["read-write", "primary"];
const TLS_PARAMETERS = ["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"];
/** Settings that a service makes for its connections, and that the driver would rather take from the URL. */
const OWN_SETTINGS: ReadonlyMap<string, string> = new Map([
  ["statement_timeout", "limits of its own"],
  ["idle_in_transaction_session_timeout", "limits of its own"],
  // The name by which a program knows that the service is running.
  ["application_name", "a name of its own"],
]);

/**
 * Reads a URL with one or more hosts in the form of libpq; node-postgres knows only one host. `target_session_attrs` may be
 * `read-write` or `primary`; space around the URL is ignored. Throws an `Error` that says what is wrong and repeats nothing of
 * the URL but the path of a file.
 */
export function parseDatabasePlace(given: string): DatabasePlace {
  const text = given.trim();
  // The driver would drop a line break or a tab, and so use another password than the one written.
  if (/\p{Cc}/u.test(text)) throw new Error("must be one line without control characters");
  const found = URL_FORM.exec(text)?.groups;
  if (found === undefined) throw new Error(SHAPE);
  const { start = "" } = found;
  requireHostsBefore(found.path ?? "", found.query ?? "");
  // The driver would look for a database whose name has these three characters.
  const path = (found.path ?? "").replaceAll("%40", "@");
  const { query, attributes } = readQuery(found.query ?? "");
  const [first = "", ...others] = (found.hosts ?? "").split(",");
  if (others.length >= MAX_HOSTS) throw new Error(`must have at most ${MAX_HOSTS} hosts`);
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
 * What the driver is given of a URL. One without TLS (`sslmode=disable`) counts, whatever the environment asks for: the driver
 * itself ignores `PGSSLMODE` then, but refuses to connect for `PGSSLNEGOTIATION=direct`.
 */
export function followUrl(url: Secret) {
  const connectionString = url.reveal();
  const isPlain = /[?&]sslmode=disable(&|$)/.test(connectionString);
  return { connectionString, ...(isPlain && { sslnegotiation: "postgres" as const }) };
}

/**
 * Refuses now what the driver does not understand, instead of at the first connection. The driver also reads the files of
 * `sslcert` and `sslkey`.
 */
function requireReadable(url: string): void {
  try {
    parse(url);
  } catch (error) {
    if (error instanceof Error && "syscall" in error && "path" in error) {
      const path = String(error.path);
      // The key itself may stand where its file should be named.
      throw new Error(
        `names ${isPathBeyondDoubt(path) ? `the file ${path}, which` : "a file that"} cannot be read`,
      );
    }
    throw new Error(UNREADABLE);
  }
}

/**
 * Refuses an @ behind the hosts: a `/` or `?` in the password would end the user's part early, and what stands before it would
 * be looked up, and logged, as the host.
 */
function requireHostsBefore(path: string, query: string): void {
  const names = [...new URLSearchParams(query).keys()];
  if ([path, ...names].some((text) => text.includes("@"))) throw new Error(UNREADABLE);
}

/** Refuses unknown TLS parameters: the driver ignores them, so a misspelt one would give a connection without TLS. */
function requireKnownTls(query: string): void {
  const names = [...new URLSearchParams(query).keys()].filter((name) => /ssl|tls/i.test(name));
  if (!names.every((name) => TLS_PARAMETERS.includes(name)))
    throw new Error(`must not set TLS parameters other than ${TLS_PARAMETERS.join(", ")}`);
}

function requireNoOwnSettings(query: string): void {
  for (const name of new URLSearchParams(query).keys()) {
    const own = OWN_SETTINGS.get(name);
    if (own !== undefined) throw new Error(`must not set ${name}: the service has ${own}`);
  }
}

/** Splits off the part of the query that node-postgres would not understand. */
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
