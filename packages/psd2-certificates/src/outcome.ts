import { CertificateRefusal, type CertificateRefusalCode } from "./certificate-refusal.ts";

/** A value or a refusal as plain data, so that it can be remembered and returned again. */
export type Outcome<Value> =
  | { readonly accepted: true; readonly value: Value }
  | { readonly accepted: false; readonly code: CertificateRefusalCode; readonly detail: string };

/** Runs a function that may refuse; any other error is a bug and is rethrown. */
export function attempt<Value>(act: () => Value): Outcome<Value> {
  try {
    return { accepted: true, value: act() };
  } catch (error) {
    if (error instanceof CertificateRefusal)
      return { accepted: false, code: error.code, detail: error.detail };
    throw error;
  }
}

/** Returns the value, or throws a new copy of the refusal: callers may add to an error, so none is thrown twice. */
export function outcomeOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.accepted) return outcome.value;
  throw new CertificateRefusal(outcome.code, outcome.detail);
}
