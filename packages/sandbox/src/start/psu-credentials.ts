import { randomInt } from "node:crypto";
import { Secret } from "otpauth";
import { jsonMembers } from "../files/json-members.ts";
import { keepWhole } from "../files/write-whole.ts";
import { keepFile, parseKept } from "./sandbox-secrets.ts";

/** Credentials of a demo PSU; the TOTP secret is base32 (RFC 6238: SHA-1, 6 digits, 30 s). */
export interface PsuCredentials {
  readonly password: string;
  readonly totpSecret: string;
}

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aeiou";
const GROUPS = 3;
const SYLLABLES = 3;
const TOTP_SECRET_BYTES = 20;

/** Makes credentials for every username that has none, and gives those of all. Refuses with `folder_unusable`. */
export async function keepPsuCredentials(
  file: string,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, PsuCredentials>> {
  const kept = readCredentials(await keepFile(file, () => JSON.stringify({})), file);
  const missing = usernames.filter((username) => !kept.has(username));
  for (const username of missing) kept.set(username, makeCredentials());
  if (missing.length > 0) await keepWhole(file, JSON.stringify(Object.fromEntries(kept), null, 2), 0o600);
  return kept;
}

/** A password that is easy to read aloud and to type: about 56 bits. */
export function readablePassword(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const syllable = () => pick(CONSONANTS) + pick(VOWELS);
  const group = () => Array.from({ length: SYLLABLES }, syllable).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

function makeCredentials(): PsuCredentials {
  return { password: readablePassword(), totpSecret: new Secret({ size: TOTP_SECRET_BYTES }).base32 };
}

function readCredentials(text: string, file: string): Map<string, PsuCredentials> {
  const all = Object.entries<unknown>(Object(parseKept(text, file)));
  return new Map(all.map(([username, each]) => [username, credentialsOf(each, `${file}: ${username}`)]));
}

function credentialsOf(value: unknown, where: string): PsuCredentials {
  const members = jsonMembers(value, where);
  return { password: members.text("password"), totpSecret: members.text("totpSecret") };
}
