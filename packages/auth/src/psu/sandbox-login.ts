import type { PsuLogin, SignInAnswer, SignInCircumstances, SignInField, SignInOutcome } from "./psu-login.ts";
import type { SandboxDirectory, SignInAttempt } from "./sandbox-directory.ts";

/** The sandbox's login: everything on one page. */
export function createSandboxLogin(directory: SandboxDirectory): PsuLogin {
  return {
    begin: async () => ({ step: "credentials" }),
    present: async () => ({ page: "credentials" }),
    take: (_memory, answer, circumstances) => takeCredentials(directory, answer, circumstances),
    find: (psu) => directory.find(psu),
  };
}

async function takeCredentials(
  directory: SandboxDirectory,
  answer: SignInAnswer,
  circumstances: SignInCircumstances,
): Promise<SignInOutcome> {
  if (answer.kind !== "form") return { outcome: "refused" };
  const attempt = readAttempt(answer.fields);
  const missing = findMissing(attempt);
  if (missing.length > 0) return { outcome: "incomplete", missing };
  const taken = await directory.signIn(attempt, circumstances);
  return taken.outcome === "signed-in" ? { ...taken, methods: ["password", "totp"] } : taken;
}

function readAttempt(fields: Readonly<Record<string, readonly string[]>>): SignInAttempt {
  const typed = (name: SignInField) => fields[name]?.[0] ?? "";
  return {
    username: typed("username"),
    password: typed("password"),
    oneTimeCode: typed("one_time_code"),
  };
}

function findMissing({ username, password, oneTimeCode }: SignInAttempt): readonly SignInField[] {
  const missing: SignInField[] = [];
  if (username.trim() === "") missing.push("username");
  if (password === "") missing.push("password");
  if (oneTimeCode.trim() === "") missing.push("one_time_code");
  return missing;
}
