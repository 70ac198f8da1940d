import type { KeyObject } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import type { Database, Statement } from "@cobs/service-edge";
import { seal } from "../../sealing/sealing.ts";
import { hashActivationCode } from "./activation-code.ts";
import { readTotpSecret } from "./one-time-code.ts";
import { GENERATED_PASSWORD_COST, hashPassword, type ScryptCost } from "./password-hash.ts";
import { normaliseUsername } from "./username.ts";

/** What every PSU of the sandbox signs in with. */
interface SandboxPerson {
  readonly psuId: string;
  readonly username: string;
  readonly displayName: string;
  readonly password: string;
}

/** A PSU of the sandbox, with the secrets that the sandbox's first page prints. */
export interface SandboxPsu extends SandboxPerson {
  /** Base32, as an authenticator app takes it. */
  readonly totpSecret: string;
}

/** A PSU who has no authenticator yet. */
export interface SandboxNewcomer extends SandboxPerson {
  /** At least twenty digits; dashes and spaces do not matter. Works once. */
  readonly activationCode: string;
}

const KNOWN = "SELECT psu_id FROM sandbox_psu";
const ADD = `
  INSERT INTO sandbox_psu (psu_id, username, display_name, password_hash, password_salt, scrypt_cost, scrypt_block_size,
    scrypt_parallelization, sealed_totp_secret, activation_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`;

/** Adds the PSUs that the directory does not have yet; those that it has stay as they are. */
export async function seedSandboxDirectory(
  database: Database,
  psus: readonly (SandboxPsu | SandboxNewcomer)[],
  sealingKey: KeyObject,
  cost: ScryptCost = GENERATED_PASSWORD_COST,
): Promise<void> {
  const rows = await database.run<{ psu_id: string }>({ name: "sandbox-psu-known", text: KNOWN, values: [] });
  const known = new Set(rows.map((row) => row.psu_id));
  const missing = psus.filter(({ psuId }) => !known.has(psuId));
  const additions = await Promise.all(missing.map((psu) => additionOf(psu, sealingKey, cost)));
  for (const addition of additions) await database.run(addition);
}

async function additionOf(
  psu: SandboxPsu | SandboxNewcomer,
  sealingKey: KeyObject,
  cost: ScryptCost,
): Promise<Statement> {
  const psuId = parsePsuId(psu.psuId);
  const { hash, salt, scrypt } = await hashPassword(psu.password, cost);
  const who = [psuId, normaliseUsername(psu.username), psu.displayName];
  const made = [scrypt.cost, scrypt.blockSize, scrypt.parallelization];
  const second =
    "totpSecret" in psu
      ? [seal(sealingKey, readTotpSecret(psu.totpSecret), psuId), null]
      : [null, hashActivationCode(psu.activationCode)];
  return { name: "sandbox-psu-add", text: ADD, values: [...who, hash, salt, ...made, ...second] };
}
