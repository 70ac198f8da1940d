import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import { authenticate, deriveKey } from "../../sealing/sealing.ts";
import type { PasskeyAsking } from "../psu-login.ts";
import { isFitKey } from "./is-fit-key.ts";
import type { NewPasskey, Passkey, PasskeyChallenge, RelyingParty } from "./passkey.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import { ALGORITHMS, presentAssertionAsking, presentCreationAsking } from "./present-asking.ts";
import { isCrossOrigin, isUnattested, readAssertion, readAttestation } from "./read-answer.ts";

// The library is a fifth of all that auth would load at start; most processes need it only later.
const loadLibrary = () => import("@simplewebauthn/server");

/** What passkeys are requested and checked with. */
export interface PasskeyParts {
  readonly store: PasskeyStore;
  readonly relyingParty: RelyingParty;
  readonly sealingKey: KeyObject;
}

/** What an answer must match. */
export interface Asked {
  readonly challenge: PasskeyChallenge;
  /**
   * The PSU whose passkeys the request named. Undefined when it accepted any passkey; the answer must then name its PSU by a
   * handle.
   */
  readonly of?: PsuId;
  /** Which of those passkeys may answer; when absent, each. */
  readonly admits?: (passkey: Passkey) => boolean;
}

/**
 * What an answer proves. `counted_before`: the answer is right, but its counter is that of the last one, as of the same answer
 * sent twice. One whose counter has gone back proves nothing: it is a copy's, or a copy has signed meanwhile.
 */
export type PasskeyProof =
  | { readonly result: "proven"; readonly psu: PsuId; readonly passkey: Passkey["id"] }
  | { readonly result: "counted_before" }
  | { readonly result: "nothing" };

/** Passkeys at our pages. The caller makes each challenge, binds it and uses it up. */
export interface Passkeys {
  /** Asks for any passkey that a device has for us, or for one of the given ones. */
  ask(challenge: PasskeyChallenge, of?: readonly Passkey[]): PasskeyAsking;
  /** The credential that an answer names, unverified; undefined for text that is not an answer. */
  nameOf(answer: string): string | undefined;
  /**
   * Finds whose passkey has answered this challenge, at our origin, for our domain, with its holder present and verified. An
   * unknown credential is checked like a known one.
   */
  prove(answer: string, asked: Asked, now: Date): Promise<PasskeyProof>;
  /** Asks for a new passkey of a PSU. */
  askForNew(
    psu: { readonly id: PsuId; readonly displayName: string },
    challenge: PasskeyChallenge,
  ): Promise<PasskeyAsking>;
  /** Reads what an authenticator has made for this challenge; undefined for everything else. */
  readNew(
    answer: string,
    challenge: PasskeyChallenge,
  ): Promise<Pick<NewPasskey, "credentialId" | "publicKey" | "counter"> | undefined>;
  readonly store: PasskeyStore;
}

/** Creates the requests and checks of passkeys for one relying party. */
export function createPasskeys({ store, relyingParty, sealingKey }: PasskeyParts): Passkeys {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty;
  const handleKey = deriveKey(sealingKey, "passkey-user-handles");
  // The handle tells nothing about the PSU to someone who reads a device (Web Authentication 14.6.1).
  const handleOf = (psu: string) => authenticate(handleKey, psu).toString("base64url");
  const nobodysKey = makeNobodysKey();

  async function check(answer: string, { challenge: expectedChallenge, of, admits }: Asked) {
    const response = readAssertion(answer);
    if (response === undefined) return undefined;
    const [{ verifyAuthenticationResponse }, passkey] = await Promise.all([
      loadLibrary(),
      store.find(response.id),
    ]);
    const publicKey = Uint8Array.from(passkey?.publicKey ?? nobodysKey);
    // The store judges the counter, in one statement.
    const credential = { id: response.id, publicKey, counter: 0 };
    const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
    const checked = await orNothing(() =>
      verifyAuthenticationResponse({ response, credential, ...expected }),
    );
    const { userHandle, clientDataJSON } = response.response;
    if (checked?.verified !== true || passkey === undefined || isCrossOrigin(clientDataJSON))
      return undefined;
    const { psu } = passkey;
    // Web Authentication 7.2, step 6.
    const isOwner = userHandle === undefined ? of === psu : userHandle === handleOf(psu);
    if (!isOwner || (of !== undefined && of !== psu) || admits?.(passkey) === false) return undefined;
    return { passkey, counter: checked.authenticationInfo.newCounter };
  }

  return {
    store,
    ask: (challenge, of) => presentAssertionAsking(relyingParty, challenge, of),
    nameOf: (answer) => readAssertion(answer)?.id,
    async prove(answer, asked, now) {
      const checked = await check(answer, asked);
      if (checked === undefined) return { result: "nothing" };
      const { id, psu, counter } = checked.passkey;
      if (await store.use(id, checked.counter, now)) return { result: "proven", psu, passkey: id };
      return { result: checked.counter < counter ? "nothing" : "counted_before" };
    },
    async askForNew({ id, displayName: psuName }, challenge) {
      const passkeys = await store.list(id);
      return presentCreationAsking(relyingParty, challenge, { handle: handleOf(id), psuName, passkeys });
    },
    async readNew(answer, expectedChallenge) {
      const response = readAttestation(answer);
      if (response === undefined) return undefined;
      const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
      const supportedAlgorithmIDs = [...ALGORITHMS];
      const [{ verifyRegistrationResponse }, helpers] = await Promise.all([
        loadLibrary(),
        import("@simplewebauthn/server/helpers"),
      ]);
      const checked = await orNothing(async () =>
        isUnattested(response.response.attestationObject, helpers.decodeAttestationObject)
          ? verifyRegistrationResponse({ response, ...expected, supportedAlgorithmIDs })
          : undefined,
      );
      if (checked?.verified !== true || isCrossOrigin(response.response.clientDataJSON)) return undefined;
      const { id: credentialId, publicKey, counter } = checked.registrationInfo.credential;
      if (!isFitKey(publicKey, helpers.decodeCredentialPublicKey)) return undefined;
      return { credentialId, publicKey, counter };
    },
  };
}

/** Undefined when the library throws, as it does for every faulty answer. The cause does not matter, and nobody is told. */
async function orNothing<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

/** A key on P-256 that nobody has signed with, as a COSE_Key (RFC 9053 section 7.1.1). */
function makeNobodysKey(): Uint8Array {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  const head = Buffer.from("a5010203262001215820", "hex");
  return Buffer.concat([
    head,
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
}
