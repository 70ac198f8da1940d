/**
 * Choices that the standard leaves to a bank, and the bank makes in its configuration, as its interface description states
 * them.
 */
import type { Parameter } from "./openapi-document.ts";
import { optionalHeader } from "./parameters.ts";

/** The bank's treatment of headers that the standard leaves open. */
export type BankChoices = {
  /** Whether a call without `TPP-Name` is answered. */
  readonly tppName: "optional" | "required";
  /** What a call without `User-Involved` counts as. */
  readonly absentUserInvolved: "present" | "unattended";
};

const TELLS_ITS_OWN = "the description at `/cobs/2.0/openapi.json` on the API host for accounts says so";

/** Table: descriptions of `TPP-Name`; `unknown` if the bank's choice is not known. */
const TPP_NAME: Readonly<Record<BankChoices["tppName"] | "unknown", string>> = {
  required: "It is required, as in the standard, but only for information,",
  optional: "The standard requires it; here it is optional and only for information,",
  unknown: `The standard requires it; here it is optional unless the bank requires it, in which case ${TELLS_ITS_OWN}. It is only for information,`,
};

/** Table: what the absence of `User-Involved` means. */
const WITHOUT_USER_INVOLVED: Readonly<Record<BankChoices["absentUserInvolved"] | "unknown", string>> = {
  present: "Without it, the PSU counts as online.",
  unattended: "Without it, the PSU counts as absent.",
  unknown: `Without it, the PSU counts as online, unless the bank treats them as absent, in which case ${TELLS_ITS_OWN}.`,
};

/**
 * Returns the headers that depend on a bank's choices, by their names as components; without choices, the text holds for any
 * bank.
 */
export function headersOfBank(choices: BankChoices | undefined): Readonly<Record<string, Parameter>> {
  const tppName = choices?.tppName ?? "unknown";
  return {
    "TPP-Name": { ...nameOfTpp(TPP_NAME[tppName]), required: tppName === "required" },
    "TPP-Name-Optional": nameOfTpp("It is only for information,"),
    "User-Involved": optionalHeader(
      "User-Involved",
      `Whether the PSU is online and asks for this, \`true\` or \`false\` in any case (COBS OpenAPI, RTS on SCA Article 36). ${WITHOUT_USER_INVOLVED[choices?.absentUserInvolved ?? "unknown"]} Without the PSU, a balance or a history may be read four times in 24 hours, unless agreed otherwise.`,
      {
        schema: { type: "string", pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$" },
        example: "true",
      },
    ),
  };
}

function nameOfTpp(meaning: string): Parameter {
  return optionalHeader(
    "TPP-Name",
    `Name of the TPP on whose behalf you call (COBS 3.1.3). ${meaning} because the certificate identifies the caller.`,
    { schema: { type: "string" }, example: "Star corporation, a.s." },
  );
}
