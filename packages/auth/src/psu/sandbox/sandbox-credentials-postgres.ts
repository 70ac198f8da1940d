/**
 * What PSUs of the sandbox's directory sign in with, as it is stored. An unknown PSU has a decoy's, so that an attempt for them
 * takes as long as any other.
 */
import { type KeyObject, randomBytes } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { isPsuBlocked } from "../../psu-block/psu-blocks-postgres.ts";
import { seal } from "../../sealing/sealing.ts";
import { decoyActivationHash } from "./activation-code.ts";
import { TOTP_SECRET_BYTES } from "./one-time-code.ts";
import { decoyPasswordHash, type PasswordHash, type ScryptCost } from "./password-hash.ts";
import {
  type Admission,
  admissionOf,
  attemptValues,
  type Bucket,
  COUNTED_ATTEMPT,
  type CountedAttempt,
} from "./sign-in-failures-postgres.ts";

/** What an attempt is compared with; a decoy has the same parts, but no row. */
export interface Credentials {
  readonly psuId: string;
  readonly password: PasswordHash;
  /** The decoy's when the PSU has no authenticator. */
  readonly totp: { readonly sealed: Uint8Array; readonly owner: string };
  /** The decoy's when the PSU has no activation code to use. */
  readonly activationHash: Buffer;
}

/** The stored credentials; every username is in its normal form. */
export interface CredentialsStore {
  /** Counts an attempt as a failure before it is evaluated, and finds what it is compared with; undefined for an unknown PSU. */
  admit(
    username: string,
    attempt: CountedAttempt,
  ): Promise<Admission & { readonly found: Credentials | undefined }>;
  find(username: string): Promise<Credentials | undefined>;
  /**
   * Uses the step of a one-time code, and forgets the failures of the bucket unless the PSU is blocked. Undefined, and nothing is
   * forgotten, when this step or a later one was used, for the decoy, and without a step: the statement runs all the same.
   */
  useStep(psuId: string, step: number | undefined, bucket: Bucket): Promise<PsuId | undefined>;
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

/** A step that cannot be used: every row has used a later one. */
const NO_STEP = -1;
// One statement: the step is used only if no later or equal one was, and only then are the failures forgotten.
const USE_STEP = `
  WITH used AS (UPDATE sandbox_psu SET last_step = $2 WHERE psu_id = $1 AND last_step < $2 RETURNING psu_id),
    forgotten AS (DELETE FROM sandbox_sign_in_failure
      WHERE bucket = $3 AND EXISTS (SELECT FROM used) AND NOT ${isPsuBlocked("$1")})
  SELECT psu_id FROM used`;

/** Finds credentials in the database; what a PSU does not have is the decoy's. */
export function createCredentialsStore(database: Database, decoy: Credentials): CredentialsStore {
  return {
    async admit(username, attempt) {
      const values = [...attemptValues(attempt), username];
      const statement = { name: "sandbox-sign-in-admit", text: ADMIT, values };
      const [row] = await database.run<AdmittedRow>(statement);
      const admission = await admissionOf(database, attempt, row?.failures);
      return { ...admission, found: row && row.psu_id !== null ? credentialsOf(row, decoy) : undefined };
    },
    async find(username) {
      const statement = { name: "sandbox-psu-credentials", text: FIND_CREDENTIALS, values: [username] };
      const [row] = await database.run<CredentialsRow>(statement);
      return row === undefined ? undefined : credentialsOf(row, decoy);
    },
    async useStep(psuId, step, bucket) {
      const statement = {
        name: "sandbox-psu-use-step",
        text: USE_STEP,
        values: [psuId, step ?? NO_STEP, bucket],
      };
      const [used] = await database.run<{ psu_id: string }>(statement);
      return used === undefined ? undefined : parsePsuId(used.psu_id);
    },
  };
}

/** Someone who does not exist and whose secrets nobody knows. */
export function makeDecoy(sealingKey: KeyObject, cost: ScryptCost): Credentials {
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
