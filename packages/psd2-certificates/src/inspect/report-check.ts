import type { CheckName, Knowledge } from "../certificate-check.ts";
import type { CheckReport } from "./certificate-report.ts";
import { checkDescriptions } from "./check-descriptions.ts";
import { legible } from "./legible-text.ts";
import { remedyFor } from "./remedies.ts";
import { whatWasFound } from "./what-was-found.ts";

/** The outcome of one check. */
export type Look = { readonly name: CheckName; readonly result: LookResult };

/** A failure includes the refusal of the check. */
export type LookResult =
  | { readonly outcome: "passed" | "not_reached" }
  | ({ readonly outcome: "failed" } & Pick<Required<CheckReport>, "code" | "detail">);

/** Describes a check in words, with everything known at the end. */
export function reportCheck({ name, result }: Look, known: Partial<Knowledge>): CheckReport {
  const found = legible(whatWasFound[name](known) ?? "not available: see the failure above");
  const about = { check: name, ...checkDescriptions[name], outcome: result.outcome, found };
  if (result.outcome !== "failed") return about;
  const { code, detail } = result;
  return { ...about, detail: legible(detail), code, remedy: remedyFor(name, code) };
}
