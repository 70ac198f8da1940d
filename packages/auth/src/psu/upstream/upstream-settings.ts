import { rootCertificates } from "node:tls";
import { type ConfigurationReader, readCertificates, Secret } from "@cobs/service-edge";
import { parseClientKey } from "./client-key.ts";

/** How this server proves who it is at the bank's provider (OpenID Connect Core section 9); the secrets were checked. */
export type UpstreamAuthentication =
  | { readonly kind: "secret"; readonly secret: Secret }
  | { readonly kind: "key"; readonly key: Secret };

/** The bank's own OpenID provider, and what a sign-in there must show. */
export interface UpstreamSettings {
  /** Issuer identifier: https, without query and fragment. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly authentication: UpstreamAuthentication;
  /** Each stands for strong authentication of the PSU (RTS Article 4); at least one. */
  readonly acrValues: readonly string[];
  /** The claim of the ID token that holds the bank's id of the PSU. */
  readonly psuClaim: string;
  /** The claim that holds the name to greet the PSU with, if any. */
  readonly nameClaim: string;
  readonly scope: string;
  /** PEM of the only authorities that may certify the provider. */
  readonly authorities: readonly string[];
}

/** The variables that only a bank with its own provider sets; those with a default are not among them. */
const UPSTREAM_ROWS = [
  "UPSTREAM_ISSUER",
  "UPSTREAM_CLIENT_ID",
  "UPSTREAM_CLIENT_SECRET_FILE",
  "UPSTREAM_CLIENT_KEY_FILE",
  "UPSTREAM_ACR_VALUES",
  "UPSTREAM_CA_FILE",
] as const;

const CLAIM = /^[\x21-\x7e]{1,200}$/;
/** What a value of `acr_values` and `scope` is made of (RFC 6749 appendix A.4). */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** Reports variables of a provider that are set although `PSU_LOGIN` uses none. */
export function refuseUpstreamRows(read: ConfigurationReader): void {
  const set = UPSTREAM_ROWS.filter((name) => read.optionalText(name) !== undefined);
  if (set.length > 0) read.fault(`${set.join(", ")} may be set only with PSU_LOGIN=oidc`);
}

/** Reads the variables of the bank's provider. */
export function readUpstreamSettings(read: ConfigurationReader): UpstreamSettings {
  return read.together<UpstreamSettings>({
    issuer: () => readIssuer(read),
    clientId: () => read.parsed("UPSTREAM_CLIENT_ID", requireClientId),
    authentication: () => readAuthentication(read),
    acrValues: () => read.parsed("UPSTREAM_ACR_VALUES", requireTokens),
    psuClaim: () => read.parsed("UPSTREAM_PSU_CLAIM", requireClaim),
    nameClaim: () => read.parsed("UPSTREAM_NAME_CLAIM", requireClaim),
    scope: () => read.parsed("UPSTREAM_SCOPE", requireScope),
    authorities: () => readAuthorities(read),
  });
}

function readIssuer(read: ConfigurationReader): URL {
  const name = "UPSTREAM_ISSUER";
  const url = read.url(name, ["https:"]);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    read.fault(`${name} must be an https URL with a host, a path and, if needed, a port only`);
  // The OpenID client would accept this URL, and believe the description whichever issuer it names (OIDC Discovery 4.3).
  if (url.pathname.includes("/.well-known/"))
    read.fault(`${name} must be the issuer, not the URL of its metadata: leave out /.well-known/`);
  return url;
}

/** Requires exactly one of the two: half a configuration is not usable, and with both it would be unclear which one counts. */
function readAuthentication(read: ConfigurationReader): UpstreamAuthentication {
  const [secretFile, keyFile] = ["UPSTREAM_CLIENT_SECRET_FILE", "UPSTREAM_CLIENT_KEY_FILE"] as const;
  const hasSecret = read.optionalText(secretFile) !== undefined;
  if (hasSecret === (read.optionalText(keyFile) !== undefined))
    read.fault(`exactly one of ${secretFile} and ${keyFile} must be set`);
  if (!hasSecret && read.optionalText(keyFile) === undefined)
    return { kind: "secret", secret: new Secret("") };
  return hasSecret
    ? { kind: "secret", secret: readChecked(read, secretFile, requireClientSecret) }
    : { kind: "key", key: readChecked(read, keyFile, parseClientKey) };
}

function readChecked(read: ConfigurationReader, name: string, check: (text: string) => unknown): Secret {
  const text = read.file(name).trim();
  return read.parsed(name, () => {
    check(text);
    return new Secret(text);
  });
}

function requireClientSecret(text: string): void {
  if (!/^[\x20-\x7e]{16,1000}$/.test(text))
    throw new Error("must contain 16 to 1,000 printable ASCII characters");
}

function requireClientId(text: string): string {
  if (!/^[\x20-\x7e]{1,200}$/.test(text)) throw new Error("must be 1 to 200 printable ASCII characters");
  return text;
}

function requireTokens(text: string): readonly string[] {
  const values = text.split(" ").filter((value) => value !== "");
  if (values.length === 0 || !values.every((value) => TOKEN.test(value)))
    throw new Error(
      "must be values of 1 to 200 visible ASCII characters without quotation marks and backslashes, separated by spaces",
    );
  return values;
}

function requireScope(text: string): string {
  const values = requireTokens(text);
  if (!values.includes("openid")) throw new Error("must contain openid");
  return values.join(" ");
}

function requireClaim(text: string): string {
  if (!CLAIM.test(text)) throw new Error("must be the name of a claim");
  return text;
}

function readAuthorities(read: ConfigurationReader): readonly string[] {
  const name = "UPSTREAM_CA_FILE";
  if (read.optionalText(name) === undefined) return rootCertificates;
  return [readCertificates(read, name)];
}
