import { rootCertificates } from "node:tls";
import { type ConfigurationReader, readCertificates, requireSandboxMode } from "@cobs/service-edge";

/** Where keys of applications are fetched from, when they are. */
export interface PublishedKeysSettings {
  /** Whether they may be on loopback and private networks, in the sandbox alone. */
  readonly allowsPrivateAddresses: boolean;
  /** PEM of the authorities that certify their hosts; undefined for those that Node trusts. */
  readonly authorities: readonly string[] | undefined;
}

/** What the bank decides about applications. */
export interface ApplicationSettings {
  readonly maxPerTpp: number;
  readonly secretOverlapSeconds: number;
  /** Undefined when no keys are fetched. */
  readonly publishedKeys: PublishedKeysSettings | undefined;
}

/** Reads the rows of the applications. */
export function readApplicationSettings(read: ConfigurationReader): ApplicationSettings {
  return read.together<ApplicationSettings>({
    maxPerTpp: () => read.integer("MAX_APPLICATIONS_PER_TPP"),
    secretOverlapSeconds: () => read.integer("SECRET_OVERLAP_SECONDS"),
    publishedKeys: () => readPublishedKeys(read),
  });
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
