import type { Fault, FaultParameters } from "./refusal.ts";

/** The body of every error of the API (COBS PDF 1.2.10.1); absent members are null. */
export type ErrorsDocument = {
  readonly errors: readonly {
    readonly error: string;
    readonly scope: string | null;
    readonly parameters: FaultParameters | null;
    readonly message: string | null;
  }[];
};

/** Writes faults as the standard's error payload, in the order given (COBS PDF 1.2.10.1). */
export function presentErrors(faults: readonly Fault[]): ErrorsDocument {
  return {
    errors: faults.map(({ code, path, parameters, message }) => ({
      error: code,
      scope: path ?? null,
      parameters: parameters ?? null,
      message,
    })),
  };
}
