import { isJsonObject, type JsonObject } from "@cobs/service-edge";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { decodeAttestationObject } from "@simplewebauthn/server/helpers";

/** Longest answer that is read, in UTF-16 code units; an RSA key with its certificates fits. */
const MAX_ANSWER_LENGTH = 8192;
const BASE64URL = /^[A-Za-z0-9_-]{1,6000}$/;
/** A credential id has 1023 bytes at most (Web Authentication 5.8.3). */
const MAX_ID_LENGTH = 1364;

type Texts = Readonly<Record<string, string>>;

/**
 * Reads the answer of an existing passkey, as our script writes it; undefined for anything else. Nothing in it is verified yet.
 */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const read = readMembers(text, ["clientDataJSON", "authenticatorData", "signature"]);
  if (read === undefined) return undefined;
  const { clientDataJSON = "", authenticatorData = "", signature = "" } = read.members;
  const { userHandle } = readMembers(text, ["userHandle"])?.members ?? {};
  const response = { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
  return { id: read.id, rawId: read.id, type: "public-key", clientExtensionResults: {}, response };
}

/** Reads the answer of a newly made passkey, in the same way. */
export function readAttestation(text: string): RegistrationResponseJSON | undefined {
  const read = readMembers(text, ["clientDataJSON", "attestationObject"]);
  if (read === undefined) return undefined;
  const { clientDataJSON = "", attestationObject = "" } = read.members;
  const response = { clientDataJSON, attestationObject };
  return { id: read.id, rawId: read.id, type: "public-key", clientExtensionResults: {}, response };
}

/**
 * Whether an answer was given in a frame of another site. The browser says so in the signed client data, by either of two members
 * (Web Authentication Level 3, 7.1 and 7.2). Decoded as 7.1 step 5 says, without a byte order mark.
 */
export function isCrossOrigin(clientDataJSON: string): boolean {
  const data: unknown = JSON.parse(new TextDecoder().decode(Buffer.from(clientDataJSON, "base64url")));
  if (!isJsonObject(data)) return false;
  return "topOrigin" in data || ("crossOrigin" in data && data.crossOrigin !== false);
}

/**
 * Whether a passkey comes without an attestation, or with one by its own key alone. We ask for no more, and a check of strangers'
 * certificates would fetch from addresses that they name. `decode` is the library's; it throws for what cannot be read.
 */
export function isUnattested(attestationObject: string, decode: typeof decodeAttestationObject): boolean {
  const decoded = decode(Uint8Array.from(Buffer.from(attestationObject, "base64url")));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

function readMembers(
  text: string,
  names: readonly string[],
): { readonly id: string; readonly members: Texts } | undefined {
  const value = text.length <= MAX_ANSWER_LENGTH ? parse(text) : undefined;
  const { id } = value ?? {};
  if (value === undefined || !isCredentialId(id)) return undefined;
  const members = names.flatMap((name): [string, string][] => {
    const member = value[name];
    return isBase64Url(member) ? [[name, member]] : [];
  });
  return members.length === names.length ? { id, members: Object.fromEntries(members) } : undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isBase64Url(value: unknown): value is string {
  return typeof value === "string" && BASE64URL.test(value);
}

/**
 * Whether a value is a credential id in the one spelling that its bytes have: failures are counted under the text, while the
 * passkey is found by the bytes.
 */
function isCredentialId(value: unknown): value is string {
  if (!isBase64Url(value) || value.length > MAX_ID_LENGTH) return false;
  return Buffer.from(value, "base64url").toString("base64url") === value;
}
