import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { jsonMembers } from "../files/json-members.ts";
import { keepFolder, keepWhole } from "../files/write-whole.ts";
import { ifMissing } from "../processes/error-codes.ts";
import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** Passwords of the two database roles. */
export type DatabasePasswords = Readonly<Record<"auth" | "resource", string>>;

/** Creates, at the first start, the key with which auth seals secrets, its other keys included; later starts keep it. */
export async function keepSealingKey(layout: SandboxLayout): Promise<void> {
  await keepFile(layout.sealingKey, randomText);
}

/** Creates or reads the passwords of the embedded databases. Refuses with `folder_unusable`. */
export async function keepDatabasePasswords(layout: SandboxLayout): Promise<DatabasePasswords> {
  const make = () => JSON.stringify({ auth: randomText(), resource: randomText() });
  const { databasePasswords: file } = layout;
  const kept = jsonMembers(parseKept(await keepFile(file, make), file), file);
  return { auth: kept.text("auth"), resource: kept.text("resource") };
}

/**
 * Reads a file; if missing, writes what `make` gives, whole and readable by the owner only. Rejects if the file exists but
 * cannot be read, because its content may still be needed.
 */
export async function keepFile(path: string, make: () => string | Promise<string>): Promise<string> {
  const kept = await readFile(path, "utf8").catch(ifMissing(undefined));
  if (kept !== undefined) return kept;
  const made = await make();
  await keepFolder(dirname(path));
  await keepWhole(path, made, OWNER_ONLY);
  return made;
}

/** Parses what {@link keepFile} gave. Refuses with `folder_unusable`; messages repeat none of it. */
export function parseKept(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const advice = "Repair it, or delete the folder of the sandbox to start afresh.";
    throw new SandboxRefusal("folder_unusable", `${file} is not JSON. ${advice}`);
  }
}

/** A password or key of 256 bits, in characters that are safe in a URL. */
export function randomText(): string {
  return randomBytes(KEY_BYTES).toString("base64url");
}
