import type { PsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import type { Act, OperatorAct } from "../../packages/auth/src/audit/act.ts";
import { PSU } from "./sample-consent.ts";
import { OWNER } from "./stored-tpp.ts";

const certificate = thumbprintOf(Buffer.from("certificate"));

/** An act of a person of the bank. */
export const operatorAct = (name: string): OperatorAct => ({
  actor: { kind: "operator", name, certificate },
  requestId: `call of ${name}`,
});

/** An act of a PSU. */
export const psuAct = (psu: PsuId = PSU): Act => ({
  actor: { kind: "psu", psu },
  requestId: "call of a PSU",
});

/** An act of a TPP. */
export const tppAct = (identifier: string = OWNER): Act => ({
  actor: { kind: "tpp", organisationIdentifier: parseOrganisationIdentifier(identifier), certificate },
  requestId: "call of a TPP",
});
