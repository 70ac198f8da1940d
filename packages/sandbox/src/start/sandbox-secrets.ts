import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { jsonMembers } from "../files/json-members.ts";
import { writeWhole } from "../files/write-whole.ts";
import { ifMissing } from "../processes/error-codes.ts";
import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** Passwords of the two database roles. */
export type DatabasePasswords = Readonly<Record<"auth" | "resource", string>>;

/** Makes at first start what auth seals with, its other keys among it; later starts keep it. */
export async function keepSealingKey(layout: SandboxLayout): Promise<void> {
  await keepFile(layout.sealingKey, randomText);
}

/** Makes or reads the passwords of the embedded databases. Refuses with `folder_unusable`. */
export async function keepDatabasePasswords(layout: SandboxLayout): Promise<DatabasePasswords> {
  const make = () => JSON.stringify({ auth: randomText(), resource: randomText() });
  const { databasePasswords: file } = layout;
  const kept = jsonMembers(parseKept(await keepFile(file, make), file), file);
  return { auth: kept.text("auth"), resource: kept.text("resource") };
}

/**
 * Reads a file, or where there is none writes what `make` gives, whole and for the owner's eyes only. One that is there and
 * cannot be read rejects: what it holds may be needed yet.
 */
export async function keepFile(path: string, make: () => string | Promise<string>): Promise<string> {
  const kept = await readFile(path, "utf8").catch(ifMissing(undefined));
  if (kept !== undefined) return kept;
  const made = await make();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, made, OWNER_ONLY);
  return made;
}

/** Parses what {@link keepFile} gave. Refuses with `folder_unusable`, and repeats nothing of it. */
export function parseKept(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const advice = "Mend it, or begin afresh without the folder of the sandbox.";
    throw new SandboxRefusal("folder_unusable", `${file} is not JSON. ${advice}`);
  }
}

/** A password or key of 256 bits, in letters that a URL may have. */
export function randomText(): string {
  return randomBytes(KEY_BYTES).toString("base64url");
}
