import { presentVariables, type Variable } from "@cobs/service-edge";

/** Groups of a service's variables, in the order of the documentation; the first matching pattern decides. */
const GROUPS: readonly (readonly [heading: string, names: RegExp])[] = [
  ["Mode, log and traces", /^(?:MODE|LOG_LEVEL|OTEL_.*|NODE_TLS_REJECT_UNAUTHORIZED)$/],
  ["Listeners", /^(?:LISTEN_HOST|OPERATOR_HOST|MAX_CONNECTIONS|.*_PORT|DRAIN_.*)$/],
  [
    "Addresses",
    /^(?:ISSUER|RESOURCE_SERVER|BASE_URL|BANK_URL|MUTUAL_TLS_URL|AUTH_.*_URL|RESOURCE_BANK_URL)$/,
  ],
  [
    "Own certificates, and who may call",
    /^(?:SERVER_.*|BANK_(?:CLIENT_)?(?:CERTIFICATE|KEY)_FILE|BANK_AUTHORITY_FILE|BANK_CALLERS)$/,
  ],
  ["Database", /^DATABASE_/],
  ["Redis", /^REDIS_/],
  ["Certificates of TPPs", /^(?:TRUST_ANCHORS_FILE|REVOCATION.*|SECOND_READER.*)$/],
  ["Proxies in front", /^(?:CLIENT_CERTIFICATE_SOURCE|PROXY_NAMES|BROWSER_PROXIES)$/],
  ["The register of TPPs", /^TPP_REGISTER_/],
  ["Keys", /^(?:SEALING|SIGNING|COOKIE)_KEY/],
  ["Signing in", /^(?:PSU_LOGIN|UPSTREAM_.*|PASSKEY_DOMAIN)$/],
  ["Codes and notices", /^(?:DELIVERY_URL|CODES_PER_HOUR)$/],
  ["Pages", /^(?:BANK_(?:NAME|COLOR|LOGO_FILE|CONTACT|PRIVACY_URL)|SECURITY_CONTACT)$/],
  ["Applications", /^(?:SECURITY_PROFILE|MAX_APPLICATIONS_PER_TPP|SECRET_OVERLAP_SECONDS|JWKS_URI_.*)$/],
  ["What the bank offers", /^PAYMENTS$/],
  ["The core system", /^(?:BANK|SANDBOX_.*|CORE_.*)$/],
  ["Limits", /_PER_(?:MINUTE|HOUR|TPP)$/],
  [
    "Access to accounts",
    /^(?:FRESHNESS_SECONDS|HISTORY_SCA_MINUTES|TPP_NAME|UNATTENDED_.*|USER_INVOLVED_DEFAULT)$/,
  ],
  ["Lifetimes and retention", /_(?:SECONDS|MINUTES|DAYS)$/],
];

/** One table per group, under a heading that begins with `signs`. Throws if a variable matches no group. */
export function presentGroups(variables: readonly Variable[], signs: string): string {
  const stray = variables.filter(({ name }) => headingOf(name) === undefined).map(({ name }) => name);
  if (stray.length > 0)
    throw new Error(`these variables are in no group of scripts/variable-groups.ts: ${stray.join(", ")}`);
  return GROUPS.flatMap(([heading]) => {
    const members = variables.filter(({ name }) => headingOf(name) === heading);
    return members.length === 0 ? [] : [`${signs} ${heading}\n\n${presentVariables(members)}`];
  }).join("\n\n");
}

function headingOf(name: string): string | undefined {
  return GROUPS.find(([, names]) => names.test(name))?.[0];
}
