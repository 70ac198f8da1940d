/**
 * What a browser keeps of the PSUs who have signed in there: a mark for each, which is a random name, and the proof that we gave
 * it for that username. Marks sign nobody in; they only let the failures of this device be counted apart from those of strangers.
 * They are kept in one cookie, that of the latest sign-in first.
 */
import { type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../../sealing/sealing.ts";

/** Enough for a household. Each attempt verifies as many proofs, so a browser must not choose the number. */
const MOST_MARKS = 4;
const SEPARATOR = "..";
const NAME_BYTES = 16;
const MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

interface DeviceMark {
  readonly name: string;
  readonly proof: string;
}

/** Derives the key of all marks from the sealing key; it is the same in every process. */
export function deriveDeviceKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "known-devices");
}

/** Finds the random name of the mark that we gave this browser for a username in its normal form. */
export function findDeviceName(
  key: KeyObject,
  kept: string | undefined,
  username: string,
): string | undefined {
  return readMarks(kept).filter(isFor(key, username))[0]?.name;
}

/**
 * Gives what a browser is to keep once the PSU with this username has signed in: their own mark first, a new one if they have
 * none here, and those of the others who signed in there last.
 */
export function markDevice(key: KeyObject, kept: string | undefined, username: string): string {
  const marks = readMarks(kept);
  const isOwn = isFor(key, username);
  const [own = createMark(key, username)] = marks.filter(isOwn);
  const others = marks.filter((mark) => !isOwn(mark));
  const newest = [own, ...others].slice(0, MOST_MARKS);
  return newest.map(({ name, proof }) => `${name}.${proof}`).join(SEPARATOR);
}

/** Reads marks without their proofs being verified, and passes over what is none. */
function readMarks(kept = ""): readonly DeviceMark[] {
  return kept.split(SEPARATOR, MOST_MARKS).flatMap((mark) => {
    const [, name, proof] = MARK.exec(mark) ?? [];
    return name === undefined || proof === undefined ? [] : [{ name, proof }];
  });
}

function createMark(key: KeyObject, username: string): DeviceMark {
  const name = randomBytes(NAME_BYTES).toString("base64url");
  return { name, proof: proofOf(key, name, username) };
}

function isFor(key: KeyObject, username: string): (mark: DeviceMark) => boolean {
  return ({ name, proof }) => timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(key, name, username)));
}

function proofOf(key: KeyObject, name: string, username: string): string {
  return authenticate(key, JSON.stringify([name, username])).toString("base64url");
}
