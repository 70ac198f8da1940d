import { type CommandContext, type CommandResult, requirePsu } from "../command.ts";
import { endOfStep, nextOneTimeCode, otpauthUri } from "../one-time-codes.ts";

/** Gives a one-time code of a PSU that has not been given before, for a sign-in in a browser. */
export async function code(
  { sandbox, usedSteps, tell }: CommandContext,
  { username }: { readonly username: string },
): Promise<CommandResult> {
  const psu = requirePsu(sandbox, username);
  const next = await nextOneTimeCode(psu, usedSteps, tell);
  const until = endOfStep(next.step);
  const json = { username, code: next.code, until: until.toISOString(), otpauth: otpauthUri(psu) };
  return { json, text: `${next.code}  until ${until.toTimeString().slice(0, 8)}  password ${psu.password}` };
}
