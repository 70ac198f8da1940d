import type { KeyObject } from "node:crypto";
import { parseTrustAnchors, type TrustAnchors } from "@cobs/psd2-certificates";
import {
  type ConfigurationReader,
  type EdgeConfiguration,
  type Environment,
  type RedisSettings,
  readAnchorsOfMode,
  readConfiguration,
  readEdge,
  readRedisSettings,
  readResourceServer,
  Secret,
} from "@cobs/service-edge";
import { type ApplicationSettings, readApplicationSettings } from "./applications/application-settings.ts";
import { parseRequiredProfile, type RequiredProfile } from "./applications/required-profile.ts";
import { AUTH_VARIABLES } from "./env.ts";
import { parseSecurityContact } from "./http/security-text.ts";
import { parseCookieKeys } from "./keys/cookie-keys.ts";
import { readKeyTerms } from "./keys/key-terms.ts";
import type { TermsOfKeys } from "./keys/server-key.ts";
import { parseGivenSigningKeys } from "./keys/signing-keys.ts";
import { type RateLimitSettings, readRateLimitSettings } from "./limits/rate-limit-settings.ts";
import type { RelyingParty } from "./psu/passkeys/passkey.ts";
import { findRelyingParty, isPasskeyDomain } from "./psu/passkeys/relying-party.ts";
import { type PsuLoginSettings, readPsuLogin } from "./psu-login-settings.ts";
import { readSealingKey } from "./sealing/sealing.ts";
import { readSigningSettings, type SigningSettings } from "./signing/signing-settings.ts";
import type { BankTheme } from "./theme/bank-theme.ts";
import { readTheme } from "./theme/theme-settings.ts";
import type { SecondReaderSettings } from "./tpp/confirm-identity.ts";
import { type RegisterSettings, readRegisterSettings } from "./tpp-register/register-settings.ts";

/** Configuration of the authorization server. */
export interface AuthConfiguration extends EdgeConfiguration {
  readonly anchors: TrustAnchors;
  /** Undefined when PostgreSQL stores the ephemeral records. */
  readonly redis: RedisSettings | undefined;
  readonly browserPort: number;
  /** Origin of the browser host, without a trailing slash; compared as text. */
  readonly issuer: string;
  /** Origin of the API host. */
  readonly mutualTlsUrl: string;
  readonly bankUrl: string;
  /** The audience of every access token, compared as text. */
  readonly resourceServer: string;
  readonly resourceBankUrl: URL;
  /** Private JWK set to import, already checked; undefined when none is imported. */
  readonly signingKeys: Secret | undefined;
  /** List of keys to import, already checked; undefined when none is imported. */
  readonly cookieKeys: Secret | undefined;
  readonly keyTerms: TermsOfKeys;
  readonly sealingKey: KeyObject;
  readonly psuLogin: PsuLoginSettings;
  readonly signing: SigningSettings;
  readonly bankName: string;
  readonly theme: BankTheme;
  /** Relying party of passkeys; undefined when the host of the pages is an IP address. */
  readonly passkeyRelyingParty: RelyingParty | undefined;
  /** A URI; undefined when `security.txt` is not served. */
  readonly securityContact: string | undefined;
  readonly accessTokenLifetimeSeconds: number;
  readonly codeLifetimeSeconds: number;
  readonly requiredProfile: RequiredProfile;
  readonly applications: ApplicationSettings;
  readonly consentLifetimeDays: number;
  /** How long ended consents, decided signing requests, deleted applications and released blocks are kept. */
  readonly recordRetentionDays: number;
  readonly rateLimits: RateLimitSettings;
  readonly secondReader: SecondReaderSettings;
  /** Undefined when TPPs are not looked up in the register. */
  readonly tppRegister: RegisterSettings | undefined;
}

/** Makes the configuration from environment strings; reports all faults at once. */
export function configure(environment: Environment): AuthConfiguration {
  return readConfiguration<AuthConfiguration>(AUTH_VARIABLES, environment, (read) => ({
    ...readEdge(read),
    anchors: () => readAnchorsOfMode(read, parseTrustAnchors),
    redis: () => readRedisSettings(read),
    browserPort: () => read.port("BROWSER_PORT"),
    issuer: () => read.origin("ISSUER").origin,
    mutualTlsUrl: () => read.origin("MUTUAL_TLS_URL").origin,
    bankUrl: () => read.origin("BANK_URL").origin,
    resourceServer: () => readResourceServer(read),
    resourceBankUrl: () => read.origin("RESOURCE_BANK_URL"),
    signingKeys: () => readOptionalSecret(read, "SIGNING_KEYS_FILE", parseGivenSigningKeys),
    cookieKeys: () => readOptionalSecret(read, "COOKIE_KEYS_FILE", parseCookieKeys),
    keyTerms: () => readKeyTerms(read),
    sealingKey: () => readFromFile(read, "SEALING_KEY_FILE", (text) => readSealingKey(new Secret(text))),
    psuLogin: () => readPsuLogin(read),
    signing: () => readSigningSettings(read),
    bankName: () => read.text("BANK_NAME"),
    theme: () => readTheme(read),
    passkeyRelyingParty: () => readPasskeyRelyingParty(read),
    securityContact: () => readSecurityContact(read),
    accessTokenLifetimeSeconds: () => read.integer("ACCESS_TOKEN_LIFETIME_SECONDS"),
    codeLifetimeSeconds: () => read.integer("CODE_LIFETIME_SECONDS"),
    requiredProfile: () => read.parsed("SECURITY_PROFILE", parseRequiredProfile),
    applications: () => readApplicationSettings(read),
    consentLifetimeDays: () => read.integer("CONSENT_LIFETIME_DAYS"),
    recordRetentionDays: () => read.integer("RECORD_RETENTION_DAYS"),
    rateLimits: () => readRateLimitSettings(read),
    secondReader: () => readSecondReader(read),
    tppRegister: () => readRegisterSettings(read),
  }));
}

function readFromFile<T>(read: ConfigurationReader, name: string, parse: (text: string) => T): T {
  const text = read.file(name);
  return read.parsed(name, () => parse(text));
}

function readOptionalSecret(
  read: ConfigurationReader,
  name: string,
  check: (text: string) => unknown,
): Secret | undefined {
  if (read.optionalText(name) === undefined) return undefined;
  return readFromFile(read, name, (text) => {
    check(text);
    return new Secret(text);
  });
}

function readPasskeyRelyingParty(read: ConfigurationReader): RelyingParty | undefined {
  const issuer = read.origin("ISSUER").origin;
  const domain = read.optionalText("PASSKEY_DOMAIN");
  if (domain !== undefined && !isPasskeyDomain(domain, issuer)) {
    read.fault("PASSKEY_DOMAIN must be the host of ISSUER or a parent of it");
  }
  return findRelyingParty(issuer, { domain, name: read.text("BANK_NAME") });
}

function readSecurityContact(read: ConfigurationReader): string | undefined {
  const name = "SECURITY_CONTACT";
  return read.optionalText(name) === undefined ? undefined : read.parsed(name, parseSecurityContact);
}

function readSecondReader(read: ConfigurationReader): SecondReaderSettings {
  return read.together<SecondReaderSettings>({
    mode: () => read.choice("SECOND_READER", ["refuse", "warn", "off"]),
    deadlineMilliseconds: () => read.integer("SECOND_READER_DEADLINE_MILLISECONDS"),
  });
}
