import {
  APPLICATION_TYPES,
  type ApplicationRegistration,
  type ApplicationType,
  type LocalizedName,
  SCOPES,
  type Scope,
  TOKEN_ENDPOINT_AUTH_METHODS,
  type TokenEndpointAuthMethod,
} from "./application.ts";
import { type PublicJwks, readPublicJwks } from "./public-jwks.ts";
import { ACCEPTED_REDIRECT_URIS, findRedirectUri, isAtOrigin, type RedirectUri } from "./redirect-uri.ts";
import { RegistrationRefusal } from "./refusal.ts";
import {
  addFault,
  openReading,
  type Reading,
  readEmail,
  readHttpsUri,
  readList,
  readText,
} from "./registration-fields.ts";

const MAX_REDIRECT_URIS = 3;
const MAX_SCOPES = 10;
const MAX_LOCALIZED_NAMES = 10;
const NAME_BYTES = 255;
const LOCALIZED_NAME_BYTES = 1024;
const LOCALIZED_NAME = "client_name#";
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,7}$/;

/**
 * Reads the body of `POST` and `PUT /applications` (COBS PDF 1.4.1.1, 1.4.1.3), or throws a `RegistrationRefusal` with all
 * faults: `invalid_request`, `invalid_scope`, `invalid_redirect_uri`. Unknown members and those that the bank assigns
 * (`client_id`, `client_secret`, `api_key`) are ignored; null counts as absent. No return address may be at an origin of the
 * bank. Whether the roles of the certificate cover the scopes is not yet verified.
 */
export function parseApplicationRegistration(
  body: unknown,
  bankOrigins: readonly string[] = [],
): ApplicationRegistration {
  const reading = openReading(body);
  if (reading.faults.length > 0) throw new RegistrationRefusal(reading.faults);
  const applicationType = readApplicationType(reading);
  const registration = {
    redirectUris: readRedirectUris(reading, applicationType, bankOrigins),
    clientName: readClientName(reading),
    localizedNames: readLocalizedNames(reading),
    logoUri: readHttpsUri(reading, "logo_uri"),
    contact: readEmail(reading, "contact"),
    scopes: readScopes(reading),
    tokenEndpointAuthMethod: readAuthMethod(reading),
    jwks: readJwks(reading),
    jwksUri: readJwksUri(reading),
  };
  if (applicationType === undefined || reading.faults.length > 0)
    throw new RegistrationRefusal(reading.faults);
  return { applicationType, ...registration };
}

/** Reads `applicationType`, the wire name, or the standard's `application_type`; if both are sent they must agree. */
function readApplicationType(reading: Reading): ApplicationType | undefined {
  const given = [reading.fields.get("applicationType"), reading.fields.get("application_type")];
  const [value, ...others] = [...new Set(given.filter((each) => each !== undefined))];
  const type = others.length === 0 ? APPLICATION_TYPES.find((each) => each === value) : undefined;
  if (others.length > 0) addFault(reading, "applicationType", "and application_type differ");
  else if (value === undefined) addFault(reading, "applicationType", "is missing");
  else if (type === undefined)
    addFault(reading, "applicationType", `must be one of ${APPLICATION_TYPES.join(", ")}`);
  return type;
}

function readRedirectUris(
  reading: Reading,
  type: ApplicationType | undefined,
  bankOrigins: readonly string[],
): readonly RedirectUri[] {
  if (!reading.fields.has("redirect_uris")) addFault(reading, "redirect_uris", "is missing");
  const accepted = type === undefined ? "" : `: ${ACCEPTED_REDIRECT_URIS[type]}`;
  const wrong = `is not a redirect URI allowed for a ${type ?? "registered"} application${accepted}`;
  const find = (item: unknown) => (typeof item === "string" ? findRedirectUri(item, type) : undefined);
  const isOfBank = (uri: RedirectUri | undefined) => uri !== undefined && isAtOrigin(uri, bankOrigins);
  const readItem = (item: unknown) => {
    const uri = find(item);
    return isOfBank(uri) ? undefined : uri;
  };
  const wrongOf = (item: unknown) =>
    isOfBank(find(item)) ? "is an address of this bank: it must be one of the application" : undefined;
  const rule = {
    maxItems: MAX_REDIRECT_URIS,
    code: "invalid_redirect_uri",
    wrong,
    wrongOf,
    readItem,
  } as const;
  return readList(reading, "redirect_uris", rule) ?? [];
}

function readClientName(reading: Reading): string {
  if (!reading.fields.has("client_name")) addFault(reading, "client_name", "is missing");
  return readText(reading, "client_name", NAME_BYTES) ?? "";
}

function readLocalizedNames(reading: Reading): readonly LocalizedName[] {
  const languages = [...reading.fields.keys()]
    .filter((field) => field.startsWith(LOCALIZED_NAME))
    .map((field) => field.slice(LOCALIZED_NAME.length));
  const distinct = new Set(languages.map((language) => language.toLowerCase()));
  const acceptable = distinct.size === languages.length && languages.every((each) => LANGUAGE_TAG.test(each));
  if (languages.length > MAX_LOCALIZED_NAMES || !acceptable) {
    addFault(
      reading,
      LOCALIZED_NAME,
      `must be followed by a language tag, a different one each time, at most ${MAX_LOCALIZED_NAMES} times`,
    );
    return [];
  }
  return languages.flatMap((language) => readLocalizedName(reading, language));
}

function readLocalizedName(reading: Reading, language: string): readonly LocalizedName[] {
  const name = readText(reading, `${LOCALIZED_NAME}${language}`, LOCALIZED_NAME_BYTES);
  return name === null ? [] : [{ language, name }];
}

/**
 * Reads scopes in any case, and keeps them in lower case. Only `aisp` and `pisp` exist, so the limit of 255 bytes needs
 * no check.
 */
function readScopes(reading: Reading): readonly Scope[] | null {
  const wrong = `must be one of ${SCOPES.join(", ")}`;
  const readItem = (item: unknown) =>
    SCOPES.find(
      (scope) => typeof item === "string" && item.length === scope.length && item.toLowerCase() === scope,
    );
  const rule = { maxItems: MAX_SCOPES, code: "invalid_scope", wrong, readItem } as const;
  const scopes = readList(reading, "scopes", rule);
  return scopes && [...new Set(scopes)];
}

function readAuthMethod(reading: Reading): TokenEndpointAuthMethod | null {
  const value = reading.fields.get("token_endpoint_auth_method");
  if (value === undefined) return null;
  const method = TOKEN_ENDPOINT_AUTH_METHODS.find((each) => each === value);
  if (method === undefined)
    addFault(
      reading,
      "token_endpoint_auth_method",
      `must be one of ${TOKEN_ENDPOINT_AUTH_METHODS.join(", ")}`,
    );
  return method ?? null;
}

/** Reads the keys of an application; without known keys it cannot authenticate with one (RFC 7523 section 3). */
function readJwks(reading: Reading): PublicJwks | null {
  const value = reading.fields.get("jwks");
  if (value === undefined) {
    const needsKeys = reading.fields.get("token_endpoint_auth_method") === "private_key_jwt";
    if (needsKeys && !reading.fields.has("jwks_uri"))
      addFault(reading, "jwks", "is missing; private_key_jwt needs jwks or jwks_uri");
    return null;
  }
  const read = readPublicJwks(value);
  if ("keys" in read) return read;
  for (const { path, wrong } of read.faults) addFault(reading, path, wrong);
  return null;
}

/** RFC 7591 section 2: either `jwks` or `jwks_uri`, because otherwise it would be unclear which keys are valid. */
function readJwksUri(reading: Reading): string | null {
  if (reading.fields.has("jwks") && reading.fields.has("jwks_uri"))
    addFault(reading, "jwks_uri", "must not be sent together with jwks");
  return readHttpsUri(reading, "jwks_uri");
}
