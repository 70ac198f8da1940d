import type { PasskeyAsking } from "../psu-login.ts";
import { CHALLENGE_MILLISECONDS, type Passkey, type PasskeyChallenge, type RelyingParty } from "./passkey.ts";

/** Numbers of the registry of COSE algorithms (RFC 9053 section 2, RFC 8812 section 2). */
const COSE = { ES256: -7, EdDSA: -8, RS256: -257 } as const;

/** In order of preference. */
export const ALGORITHMS: readonly number[] = [COSE.ES256, COSE.EdDSA, COSE.RS256];

/** Presents the request for an answer by one of these passkeys, or by any that the device has for us when none are given. */
export function presentAssertionAsking(
  { id: rpId }: RelyingParty,
  challenge: PasskeyChallenge,
  passkeys: readonly Passkey[] = [],
): PasskeyAsking {
  return {
    challenge,
    rpId,
    timeout: CHALLENGE_MILLISECONDS,
    // The device verifies its holder: possession, and knowledge or inherence (RTS Articles 6 to 8).
    userVerification: "required",
    allowCredentials: passkeys.map(describe),
  };
}

/** Presents the request for a new passkey that can be found without a username, on a device that has none of the given ones. */
export function presentCreationAsking(
  { id, name }: RelyingParty,
  challenge: PasskeyChallenge,
  {
    handle,
    psuName,
    passkeys,
  }: { readonly handle: string; readonly psuName: string; readonly passkeys: readonly Passkey[] },
): PasskeyAsking {
  return {
    challenge,
    rp: { id, name },
    user: { id: handle, name: psuName, displayName: psuName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MILLISECONDS,
    // We do not need to know the make of a device, and it would say more of a PSU than we need.
    attestation: "none",
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    excludeCredentials: passkeys.map(describe),
  };
}

function describe({ credentialId: id }: Passkey) {
  return { type: "public-key", id };
}
