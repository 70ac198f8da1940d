/**
 * The sandbox's login: username, password and one-time code on one page, or a passkey in place of the code or of everything. A
 * PSU who types an activation code instead of a one-time code sets up an authenticator on the next page. What was proven so far
 * is in the memory of the sign-in, and nowhere else.
 */

import {
  ASSERTION_FIELD,
  type PsuLogin,
  type SignInCircumstances,
  type SignInField,
  type SignInMemory,
  type SignInOutcome,
  type SignInPage,
} from "../psu-login.ts";
import { type AuthenticatorEnrolment, readEnrolmentDraft } from "./authenticator-enrolment-postgres.ts";
import type { SandboxDirectory, SignInAttempt } from "./sandbox-directory.ts";
import type { SignInPasskeys } from "./sign-in-passkeys.ts";

/** What the sandbox's login is made of. */
export interface SandboxLoginParts {
  readonly directory: SandboxDirectory;
  readonly enrolment: AuthenticatorEnrolment;
  /** Undefined when the pages cannot use passkeys. */
  readonly passkeys: SignInPasskeys | undefined;
}

type Fields = Readonly<Record<string, readonly string[]>>;

/** Makes the login. */
export function createSandboxLogin(parts: SandboxLoginParts): PsuLogin {
  return {
    asks: "here",
    begin: async () => begin(parts),
    wrote: ({ step }) => step === "credentials" || step === "enrolment",
    present: async (memory) =>
      memory.step === "enrolment"
        ? { page: "enrolment", ...(await parts.enrolment.show(readEnrolmentDraft(memory))) }
        : presentCredentials(parts, memory),
    take: async (memory, answer, circumstances) => {
      if (answer.kind !== "form") return { outcome: "refused" };
      const { fields } = answer;
      if (memory.step === "enrolment") return takeFirstCode(parts, { memory, fields }, circumstances);
      return fields[ASSERTION_FIELD] === undefined
        ? takeCredentials(parts, fields, circumstances)
        : takePasskey(parts, { memory, fields }, circumstances);
    },
    find: (psu) => parts.directory.find(psu),
  };
}

function begin({ passkeys }: SandboxLoginParts): SignInMemory {
  return { step: "credentials", ...passkeys?.begin() };
}

function presentCredentials({ passkeys }: SandboxLoginParts, memory: SignInMemory): SignInPage {
  const passkey = passkeys?.present(memory);
  return { page: "credentials", ...(passkey && { passkey }) };
}

/** Takes a passkey: two factors, because the device has verified its holder; with a password, which must then be right, three. */
async function takePasskey(
  parts: SandboxLoginParts,
  { memory, fields }: { readonly memory: SignInMemory; readonly fields: Fields },
  circumstances: SignInCircumstances,
): Promise<SignInOutcome> {
  const { username, password } = readAttempt(fields);
  const known = fields.username === undefined ? undefined : { username, password };
  const missing = known === undefined ? [] : findMissing({ ...known, oneTimeCode: "none" });
  if (missing.length > 0) return { outcome: "incomplete", missing };
  if (parts.passkeys === undefined) return { outcome: "next", memory: begin(parts) };
  if (parts.passkeys.isOver(memory, circumstances.now)) return { outcome: "late" };
  const proof = parts.passkeys.read(memory, fields[ASSERTION_FIELD]?.[0] ?? "", circumstances.now);
  const taken = await parts.directory.signInWithProof({ ...proof, known }, circumstances);
  if (taken.outcome !== "signed-in") return taken;
  return { ...taken, methods: known === undefined ? ["passkey"] : ["password", "passkey"] };
}

async function takeCredentials(
  { directory, enrolment }: SandboxLoginParts,
  fields: Fields,
  circumstances: SignInCircumstances,
): Promise<SignInOutcome> {
  const attempt = readAttempt(fields);
  const missing = findMissing(attempt);
  if (missing.length > 0) return { outcome: "incomplete", missing };
  const taken = await directory.signIn(attempt, circumstances);
  switch (taken.outcome) {
    case "signed-in":
      return { ...taken, methods: ["password", "totp"] };
    case "activated": {
      const { psu, sealedSecret } = enrolment.draft(taken.psu);
      const provenAt = circumstances.now.getTime();
      return {
        outcome: "next",
        psu,
        memory: { step: "enrolment", psu, sealedSecret, activation: taken.activation, provenAt },
      };
    }
    default:
      return taken;
  }
}

async function takeFirstCode(
  parts: SandboxLoginParts,
  { memory, fields }: { readonly memory: SignInMemory; readonly fields: Fields },
  circumstances: SignInCircumstances,
): Promise<SignInOutcome> {
  const { enrolment } = parts;
  const code = typed(fields, "one_time_code");
  if (code.trim() === "") return { outcome: "incomplete", missing: ["one_time_code"] };
  const draft = readEnrolmentDraft(memory);
  const authenticatedAt = new Date(Number(memory.provenAt ?? 0));
  const confirmed = await enrolment.confirm(draft, code, { ...circumstances, authenticatedAt });
  if (typeof confirmed === "object")
    return { outcome: "signed-in", psu: draft.psu, methods: ["password", "totp"], device: confirmed.device };
  // The authenticator is set up already: a later step failed, or the form was sent twice. No code is right here any more.
  if (await enrolment.counts(draft)) return { outcome: "next", memory: begin(parts) };
  return { outcome: "refused", psu: draft.psu };
}

function typed(fields: Fields, name: SignInField): string {
  return fields[name]?.[0] ?? "";
}

function readAttempt(fields: Fields): SignInAttempt {
  return {
    username: typed(fields, "username"),
    password: typed(fields, "password"),
    oneTimeCode: typed(fields, "one_time_code"),
  };
}

function findMissing({ username, password, oneTimeCode }: SignInAttempt): readonly SignInField[] {
  const missing: SignInField[] = [];
  if (username.trim() === "") missing.push("username");
  if (password === "") missing.push("password");
  if (oneTimeCode.trim() === "") missing.push("one_time_code");
  return missing;
}
