import { Secret, TOTP } from "otpauth";
import { readTypedCode } from "../../forms/typed-code.ts";

/** How the codes of the sandbox's authenticator apps are made (RFC 6238 with its usual parameters). */
const TOTP_SETTINGS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** How long a secret is (RFC 4226 section 4, R6). */
export const TOTP_SECRET_BYTES = 20;

/** Steps that a clock may be off to either side (RFC 6238 section 5.2). */
const WINDOW_STEPS = 1;
/** ASCII digits alone: other digits take more bytes, which the comparison does not support. */
const CODE = /^[0-9]{6}$/;

/**
 * Finds the time step of the typed code, at most one before or after `now`; undefined for every other code. Spaces and dashes,
 * with which people group digits, do not matter. Does not know whether the step was used before.
 */
export function findOneTimeCodeStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  const token = readTypedCode(code);
  if (!CODE.test(token)) return undefined;
  const totp = new TOTP({ ...TOTP_SETTINGS, secret: secretOf(secret) });
  const timestamp = now.getTime();
  const offset = totp.validate({ token, timestamp, window: WINDOW_STEPS });
  return offset === null ? undefined : totp.counter({ timestamp }) + offset;
}

/** Describes a secret as authenticator apps take it: the URI of the QR code, and base32 to type. */
export function describeTotpSecret(
  bytes: Uint8Array,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): { readonly uri: string; readonly secret: string } {
  const secret = secretOf(bytes);
  return { uri: new TOTP({ ...TOTP_SETTINGS, secret, issuer, label }).toString(), secret: secret.base32 };
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}

/** Reads a TOTP secret from base32, as authenticator apps show it. */
export function readTotpSecret(base32: string): Uint8Array {
  return Secret.fromBase32(base32).bytes;
}
