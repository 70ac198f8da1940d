/**
 * The sandbox's login: username, password and one-time code on one page; whoever has an activation code in its place sets up
 * an authenticator on the next. What was proven so far is in the memory of the sign-in, and nowhere else.
 */
import { type AuthenticatorEnrolment, readEnrolmentDraft } from "./authenticator-enrolment-postgres.ts";
import type { PsuLogin, SignInCircumstances, SignInField, SignInMemory, SignInOutcome } from "./psu-login.ts";
import type { SandboxDirectory, SignInAttempt } from "./sandbox-directory.ts";

/** What the sandbox's login is made of. */
export interface SandboxLoginParts {
  readonly directory: SandboxDirectory;
  readonly enrolment: AuthenticatorEnrolment;
}

type Fields = Readonly<Record<string, readonly string[]>>;

/** Makes the login. */
export function createSandboxLogin(parts: SandboxLoginParts): PsuLogin {
  return {
    begin: async () => ({ step: "credentials" }),
    present: async (memory) =>
      memory.step === "enrolment"
        ? { page: "enrolment", ...(await parts.enrolment.show(readEnrolmentDraft(memory))) }
        : { page: "credentials" },
    take: async (memory, answer, circumstances) => {
      if (answer.kind !== "form") return { outcome: "refused" };
      return memory.step === "enrolment"
        ? takeFirstCode(parts, { memory, fields: answer.fields }, circumstances)
        : takeCredentials(parts, answer.fields, circumstances);
    },
    find: (psu) => parts.directory.find(psu),
  };
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
      return {
        outcome: "next",
        memory: { step: "enrolment", psu, sealedSecret, activation: taken.activation },
      };
    }
    default:
      return taken;
  }
}

async function takeFirstCode(
  { enrolment }: SandboxLoginParts,
  { memory, fields }: { readonly memory: SignInMemory; readonly fields: Fields },
  circumstances: SignInCircumstances,
): Promise<SignInOutcome> {
  const code = typed(fields, "one_time_code");
  if (code.trim() === "") return { outcome: "incomplete", missing: ["one_time_code"] };
  const draft = readEnrolmentDraft(memory);
  const confirmed = await enrolment.confirm(draft, code, circumstances);
  if (confirmed === undefined) return { outcome: "refused", psu: draft.psu };
  return { outcome: "signed-in", psu: draft.psu, methods: ["password", "totp"], device: confirmed.device };
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
