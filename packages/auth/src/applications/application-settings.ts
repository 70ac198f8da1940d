import { rootCertificates } from "node:tls";
import { SCOPES, type Scope } from "@cobs/cobs-model";
import { type ConfigurationReader, readCertificates, requireSandboxMode } from "@cobs/service-edge";

/** From where keys of applications may be fetched. */
export interface PublishedKeysSettings {
  /** Whether loopback and private networks are allowed, in the sandbox only. */
  readonly allowsPrivateAddresses: boolean;
  /** PEM of the authorities that certify their hosts; undefined means those that Node trusts. */
  readonly authorities: readonly string[] | undefined;
}

/** The bank's settings for applications. */
export interface ApplicationSettings {
  /** The scopes that an application can get at this bank. */
  readonly offeredScopes: readonly Scope[];
  readonly maxPerTpp: number;
  readonly secretOverlapSeconds: number;
  /** Undefined when no keys are fetched. */
  readonly publishedKeys: PublishedKeysSettings | undefined;
}

/** Reads the variables for applications. */
export function readApplicationSettings(read: ConfigurationReader): ApplicationSettings {
  return read.together<ApplicationSettings>({
    offeredScopes: () => readOfferedScopes(read),
    maxPerTpp: () => read.integer("MAX_APPLICATIONS_PER_TPP"),
    secretOverlapSeconds: () => read.integer("SECRET_OVERLAP_SECONDS"),
    publishedKeys: () => readPublishedKeys(read),
  });
}

function readOfferedScopes(read: ConfigurationReader): readonly Scope[] {
  const offersPayments = read.choice("PAYMENTS", ["on", "off"]) === "on";
  return SCOPES.filter((scope) => scope !== "pisp" || offersPayments);
}

function readPublishedKeys(read: ConfigurationReader): PublishedKeysSettings | undefined {
  const addresses = read.choice("JWKS_URI_ADDRESSES", ["public", "private", "none"]);
  if (addresses === "none") return undefined;
  if (addresses === "private") requireSandboxMode(read, "JWKS_URI_ADDRESSES=private");
  const file = "JWKS_URI_AUTHORITY_FILE";
  const authority = read.optionalText(file) === undefined ? undefined : readCertificates(read, file);
  const authorities = authority === undefined ? undefined : [...rootCertificates, authority];
  return { allowsPrivateAddresses: addresses === "private", authorities };
}
