import { ContentRefusal, CURRENCY_UNKNOWN, type Fault } from "@cobs/cobs-model";
import { BankRefusal, type BankRefusalCode, MAX_SORTED_TRANSACTIONS } from "../bank/bank-refusal.ts";
import { ACCOUNT_UNKNOWN } from "./require-consented-account.ts";

/** Table: what a TPP is told when the bank refuses to answer. */
const FAULTS: Readonly<Record<BankRefusalCode, Fault>> = {
  account_unknown: ACCOUNT_UNKNOWN,
  currency_unknown: CURRENCY_UNKNOWN,
  sort_too_large: {
    code: "PARAMETER_INVALID",
    path: "sort",
    parameters: { LIMIT: MAX_SORTED_TRANSACTIONS },
    message:
      "more than LIMIT transactions can only be sorted by bookingDate; choose fewer days, or sort by bookingDate",
  },
};

/** Gives the bank's answer; turns the bank's refusal into a fault of the standard. */
export async function refuseAsBank<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof BankRefusal ? new ContentRefusal([FAULTS[error.code]]) : error;
  }
}
