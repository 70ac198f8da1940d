/**
 * The sandbox's directory of PSUs, who prove a password and a code of an authenticator app (RFC 6238). This file owns both proofs
 * and their one-time use; `sign-in-failures-postgres.ts` counts failures. Start-up refuses the directory outside the sandbox.
 */
import { type KeyObject, randomBytes } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { createSlots, type Database, gatherLookups, inPlaces, type PlacedRow } from "@cobs/service-edge";
import { isPsuBlocked } from "../../psu-block/psu-blocks-postgres.ts";
import { deriveKey, seal, unseal } from "../../sealing/sealing.ts";
import { SignInBusy } from "../psu-login.ts";
import { decoyActivationHash, isActivationCode } from "./activation-code.ts";
import { deriveDeviceKey, findDeviceName, markDevice } from "./device-mark.ts";
import { findOneTimeCodeStep, TOTP_SECRET_BYTES } from "./one-time-code.ts";
import { decoyPasswordHash, isPassword, type PasswordHash, type ScryptCost } from "./password-hash.ts";
import type {
  AttemptOutcome,
  ProofAttempt,
  ProofOutcome,
  SandboxDirectory,
  SignInAttempt,
} from "./sandbox-directory.ts";
import {
  admissionOf,
  admitAttempt,
  attemptValues,
  type Bucket,
  bucketOf,
  bucketOfDevice,
  bucketOfProof,
  COUNTED_ATTEMPT,
  forgetFailures,
} from "./sign-in-failures-postgres.ts";
import { normaliseUsername } from "./username.ts";
import { findUsername } from "./username-postgres.ts";

/** At most 32 MiB at the cost of generated passwords; two of the four threads of the process stay free. */
const LIMITS = { atOnce: 2, mostWaiting: 64, refuse: () => new SignInBusy() };
const MAX_USERNAME_CHARACTERS = 100;
const MAX_PASSWORD_CHARACTERS = 200;
/** A step that cannot be used: every row has used a later one. */
const NO_STEP = -1;

/** What an attempt is compared with; a decoy has the same parts, but no row. */
interface Credentials {
  readonly psuId: string;
  readonly password: PasswordHash;
  /** The decoy's when the PSU has no authenticator. */
  readonly totp: { readonly sealed: Uint8Array; readonly owner: string };
  /** The decoy's when the PSU has no activation code to use. */
  readonly activationHash: Buffer;
}

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

interface CredentialsRow {
  readonly psu_id: string;
  readonly password_hash: Buffer;
  readonly password_salt: Buffer;
  readonly scrypt_cost: number;
  readonly scrypt_block_size: number;
  readonly scrypt_parallelization: number;
  readonly sealed_totp_secret: Buffer | null;
  readonly activation_hash: Buffer | null;
}

const CREDENTIALS = `psu_id, password_hash, password_salt, scrypt_cost, scrypt_block_size, scrypt_parallelization,
  sealed_totp_secret, activation_hash`;
const FIND_CREDENTIALS = `SELECT ${CREDENTIALS} FROM sandbox_psu WHERE username = $1`;
// Always one row; for an unknown PSU, or an attempt that is not admitted, part of it is null.
const ADMIT = `${COUNTED_ATTEMPT} SELECT (SELECT failures FROM counted) AS failures, ${CREDENTIALS}
  FROM (SELECT) AS attempt LEFT JOIN sandbox_psu ON username = $4`;

type AdmittedRow = { readonly failures: number | null } & (CredentialsRow | { readonly psu_id: null });

const FIND = `SELECT asked.place::int, psu_id, display_name
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN sandbox_psu ON psu_id = asked_id`;

// One statement: the step is used only if no later or equal one was, and only then are the failures forgotten.
const USE_STEP = `
  WITH used AS (UPDATE sandbox_psu SET last_step = $2 WHERE psu_id = $1 AND last_step < $2 RETURNING psu_id),
    forgotten AS (DELETE FROM sandbox_sign_in_failure
      WHERE bucket = $3 AND EXISTS (SELECT FROM used) AND NOT ${isPsuBlocked("$1")})
  SELECT psu_id FROM used`;

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

  async function findCredentials(username: string): Promise<Credentials | undefined> {
    const statement = { name: "sandbox-psu-credentials", text: FIND_CREDENTIALS, values: [username] };
    const [row] = await database.run<CredentialsRow>(statement);
    return row === undefined ? undefined : credentialsOf(row, decoy);
  }

  /** Counts an attempt, and finds the credentials to evaluate it with. */
  async function admit({ bucket, username }: Counted, now: Date) {
    const attempt = { bucket, now };
    const values = [...attemptValues(attempt), username];
    const statement = { name: "sandbox-sign-in-admit", text: ADMIT, values };
    const [row] = await database.run<AdmittedRow>(statement);
    const { blockedUntil } = await admissionOf(database, attempt, row?.failures);
    return { blockedUntil, found: row && row.psu_id !== null ? credentialsOf(row, decoy) : undefined };
  }

  /** Every step runs in every attempt, whatever the earlier ones found (RTS Article 4(3)(a)). */
  async function evaluate(attempt: Counted, found: Credentials | undefined, now: Date): Promise<Evaluated> {
    const kept = found ?? decoy;
    const password = attempt.password.slice(0, MAX_PASSWORD_CHARACTERS + 1);
    const passwordRight = await isPassword(password, kept.password);
    const totpSecret = unseal(sealingKey, kept.totp.sealed, kept.totp.owner);
    const step = findOneTimeCodeStep(totpSecret, attempt.oneTimeCode, now);
    const activates = isActivationCode(attempt.oneTimeCode, kept.activationHash);
    const known = found !== undefined && passwordRight;
    const used = await useStep(kept.psuId, known && step !== undefined ? step : NO_STEP, attempt.bucket);
    const activation = known && activates ? await forget(kept, attempt.bucket) : undefined;
    const meant = found && parsePsuId(found.psuId);
    return { signedIn: activation === undefined ? used : meant, activation };
  }

  /** Finds whom a proof is for: the PSU with the username that was typed, or else the one whose proof it claims to be. */
  async function findMeant({ known, findNamed }: ProofAttempt, username: string): Promise<Meant> {
    if (known === undefined) return { found: undefined, psu: await findNamed() };
    const found = await findCredentials(username);
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

  async function useStep(psuId: string, step: number, bucket: Bucket): Promise<PsuId | undefined> {
    const statement = { name: "sandbox-psu-use-step", text: USE_STEP, values: [psuId, step, bucket] };
    const [used] = await database.run<{ psu_id: string }>(statement);
    return used === undefined ? undefined : parsePsuId(used.psu_id);
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
        const { blockedUntil, found } = await admit(attempt, now);
        const meant = found && parsePsuId(found.psuId);
        if (blockedUntil !== undefined) return heldOff(blockedUntil, meant);
        const { signedIn: psu, activation } = await evaluate(attempt, found, now);
        if (psu !== undefined && activation !== undefined) return { outcome: "activated", psu, activation };
        if (psu === undefined) return refused(meant);
        return { outcome: "signed-in", psu, device: markDevice(deviceKey, device, attempt.username) };
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

/** Someone who does not exist and whose secrets nobody knows. */
function makeDecoy(sealingKey: KeyObject, cost: ScryptCost): Credentials {
  const psuId = `decoy:${randomBytes(16).toString("hex")}`;
  const sealed = seal(sealingKey, randomBytes(TOTP_SECRET_BYTES), psuId);
  const activationHash = decoyActivationHash();
  return { psuId, password: decoyPasswordHash(cost), totp: { sealed, owner: psuId }, activationHash };
}

function credentialsOf(row: CredentialsRow, decoy: Credentials): Credentials {
  const scrypt = {
    cost: row.scrypt_cost,
    blockSize: row.scrypt_block_size,
    parallelization: row.scrypt_parallelization,
  };
  const { psu_id: psuId, sealed_totp_secret: sealed } = row;
  return {
    psuId,
    password: { hash: row.password_hash, salt: row.password_salt, scrypt },
    totp: sealed === null ? decoy.totp : { sealed, owner: psuId },
    activationHash: row.activation_hash ?? decoy.activationHash,
  };
}
