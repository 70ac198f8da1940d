import { type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../../sealing/sealing.ts";

/**
 * What a browser keeps after a PSU has signed in there: a random name, and the proof that we gave it for that username. It signs
 * nobody in; it only lets the failures of this device be counted apart from those of strangers.
 */
export type DeviceMark = string;

const NAME_BYTES = 16;
const MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** Derives the key of all marks from the sealing key; it is the same in every process. */
export function deriveDeviceKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "known-devices");
}

/** Makes a mark for a username in its normal form. */
export function createDeviceMark(key: KeyObject, username: string): DeviceMark {
  const name = randomBytes(NAME_BYTES).toString("base64url");
  return `${name}.${proofOf(key, name, username)}`;
}

/** The random name of a mark that we gave for this username; undefined for any other mark. */
export function findDeviceName(
  key: KeyObject,
  mark: string | undefined,
  username: string,
): string | undefined {
  const [, name = "", proof = ""] = MARK.exec(mark ?? "") ?? [];
  if (name === "") return undefined;
  const expected = proofOf(key, name, username);
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? name : undefined;
}

function proofOf(key: KeyObject, name: string, username: string): string {
  return authenticate(key, JSON.stringify([name, username])).toString("base64url");
}
