/**
 * The sandbox's directory of PSUs, who prove a password and a code of an authenticator app (RFC 6238). This file owns
 * how both proofs are evaluated; `sandbox-credentials-postgres.ts` owns what they are compared with and the one-time use, and
 * `sign-in-failures-postgres.ts` counts failures. Start-up refuses the directory outside the sandbox.
 */
import type { KeyObject } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { createSlots, type Database, gatherLookups, inPlaces, type PlacedRow } from "@cobs/service-edge";
import { deriveKey, unseal } from "../../sealing/sealing.ts";
import { SignInBusy } from "../psu-login.ts";
import { isActivationCode } from "./activation-code.ts";
import { deriveDeviceKey, findDeviceName, markDevice } from "./device-mark.ts";
import { findOneTimeCodeStep } from "./one-time-code.ts";
import { isPassword, type ScryptCost } from "./password-hash.ts";
import { type Credentials, createCredentialsStore, makeDecoy } from "./sandbox-credentials-postgres.ts";
import type {
  AttemptOutcome,
  ProofAttempt,
  ProofOutcome,
  SandboxDirectory,
  SignInAttempt,
} from "./sandbox-directory.ts";
import {
  admitAttempt,
  type Bucket,
  bucketOf,
  bucketOfDevice,
  bucketOfProof,
  forgetFailures,
} from "./sign-in-failures-postgres.ts";
import { normaliseUsername } from "./username.ts";
import { findUsername } from "./username-postgres.ts";

/** At most 32 MiB at the cost of generated passwords; two of the four threads of the process stay free. */
const LIMITS = { atOnce: 2, mostWaiting: 64, refuse: () => new SignInBusy() };
const MAX_USERNAME_CHARACTERS = 100;
const MAX_PASSWORD_CHARACTERS = 200;

/** An attempt with its username in normal form, and the bucket that counts its failure. */
interface Counted extends SignInAttempt {
  readonly bucket: Bucket;
}

/** The PSU whom an attempt has proven; `activation` is the hash of the activation code that did it. */
interface Evaluated {
  readonly signedIn: PsuId | undefined;
  readonly activation: string | undefined;
}

/** The PSU whom a proof is for, if known; the credentials when a username was typed. */
interface Meant {
  readonly found: Credentials | undefined;
  readonly psu: PsuId | undefined;
}

const FIND = `SELECT asked.place::int, psu_id, display_name
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN sandbox_psu ON psu_id = asked_id`;

/** Opens the directory; its rows were seeded with the same sealing key and cost. */
export function createSandboxDirectory(
  database: Database,
  sealingKey: KeyObject,
  cost: ScryptCost,
): SandboxDirectory {
  const { run: inTurn } = createSlots(LIMITS);
  const bucketKey = deriveKey(sealingKey, "sign-in-failures");
  const deviceKey = deriveDeviceKey(sealingKey);
  const proofKey = deriveKey(sealingKey, "proof-failures");
  const decoy = makeDecoy(sealingKey, cost);
  const credentials = createCredentialsStore(database, decoy);

  /** Every step runs in every attempt, whatever the earlier ones found (RTS Article 4(3)(a)). */
  async function evaluate(attempt: Counted, found: Credentials | undefined, now: Date): Promise<Evaluated> {
    const kept = found ?? decoy;
    const password = attempt.password.slice(0, MAX_PASSWORD_CHARACTERS + 1);
    const passwordRight = await isPassword(password, kept.password);
    const totpSecret = unseal(sealingKey, kept.totp.sealed, kept.totp.owner);
    const step = findOneTimeCodeStep(totpSecret, attempt.oneTimeCode, now);
    const activates = isActivationCode(attempt.oneTimeCode, kept.activationHash);
    const known = found !== undefined && passwordRight;
    const used = await credentials.useStep(kept.psuId, known ? step : undefined, attempt.bucket);
    const activation = known && activates ? await forget(kept, attempt.bucket) : undefined;
    const meant = found && parsePsuId(found.psuId);
    return { signedIn: activation === undefined ? used : meant, activation };
  }

  /** Finds whom a proof is for: the PSU with the username that was typed, or else the one whose proof it claims to be. */
  async function findMeant({ known, findNamed }: ProofAttempt, username: string): Promise<Meant> {
    if (known === undefined) return { found: undefined, psu: await findNamed() };
    const found = await credentials.find(username);
    return { found, psu: found && parsePsuId(found.psuId) };
  }

  /** Evaluates password and proof in every attempt; both must be of one PSU. */
  async function evaluateProof(
    { known, prove }: ProofAttempt,
    { found, psu: meant }: Meant,
  ): Promise<{ readonly signedIn: PsuId | undefined; readonly proven: PsuId | undefined }> {
    const password = known?.password.slice(0, MAX_PASSWORD_CHARACTERS + 1) ?? "";
    const right = known === undefined || (await isPassword(password, (found ?? decoy).password));
    const proven = await prove();
    return { signedIn: right && proven === meant ? proven : undefined, proven };
  }

  async function forget({ activationHash, psuId }: Credentials, bucket: Bucket): Promise<string> {
    await forgetFailures(database, bucket, parsePsuId(psuId));
    return activationHash.toString("base64url");
  }

  /** Finds where an attempt's failure is counted: with a device on which the PSU signed in before, or with everybody else. */
  function countedAs(typed: SignInAttempt, device: string | undefined): Counted {
    const username = normaliseUsername(typed.username.slice(0, MAX_USERNAME_CHARACTERS + 1));
    const name = findDeviceName(deviceKey, device, username);
    const bucket = name === undefined ? bucketOf(bucketKey, username) : bucketOfDevice(bucketKey, name);
    return { ...typed, username, bucket };
  }

  return {
    signIn: (typed, { now, device }) =>
      inTurn(async (): Promise<AttemptOutcome> => {
        const attempt = countedAs(typed, device);
        const { username, bucket } = attempt;
        const { blockedUntil, found } = await credentials.admit(username, { bucket, now });
        const meant = found && parsePsuId(found.psuId);
        if (blockedUntil !== undefined) return heldOff(blockedUntil, meant);
        const { signedIn: psu, activation } = await evaluate(attempt, found, now);
        if (psu !== undefined && activation !== undefined) return { outcome: "activated", psu, activation };
        if (psu === undefined) return refused(meant);
        return { outcome: "signed-in", psu, device: markDevice(deviceKey, device, username) };
      }),
    signInWithProof: (attempt, { now, device }) =>
      inTurn(async (): Promise<ProofOutcome> => {
        const { name, known } = attempt;
        const counted = known && countedAs({ ...known, oneTimeCode: "" }, device);
        const bucket = counted?.bucket ?? bucketOfProof(proofKey, name);
        const { blockedUntil } = await admitAttempt(database, { bucket, now });
        const meant = await findMeant(attempt, counted?.username ?? "");
        if (blockedUntil !== undefined) return heldOff(blockedUntil, meant.psu);
        const { signedIn: psu, proven } = await evaluateProof(attempt, meant);
        const username = psu && (await findUsername(database, psu));
        if (psu === undefined || username === undefined) return refused(meant.psu ?? proven);
        await forgetFailures(database, bucket, psu);
        return { outcome: "signed-in", psu, device: markDevice(deviceKey, device, username) };
      }),
    find: gatherLookups(String, async (psus: readonly PsuId[]) => {
      const statement = { name: "sandbox-psu-find", text: FIND, values: [psus] };
      const rows = await database.run<PlacedRow & { psu_id: string; display_name: string }>(statement);
      return inPlaces(rows, psus.length).map(
        (row) => row && { id: parsePsuId(row.psu_id), displayName: row.display_name },
      );
    }),
  };
}

function refused(psu: PsuId | undefined): ProofOutcome {
  return { outcome: "refused", ...(psu && { psu }) };
}

function heldOff(until: Date, psu: PsuId | undefined): ProofOutcome {
  return { outcome: "blocked", until, ...(psu && { psu }) };
}
