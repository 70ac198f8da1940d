import type { CommandContext, CommandResult } from "../command.ts";
import { requireNumber, writeWithNumber } from "../number-as-given.ts";
import { newReference } from "../payment-body.ts";
import { type OfApplication, withPayments } from "../with-access.ts";

/** Options of `check`. */
export interface CheckOptions extends OfApplication {
  readonly iban: string;
  readonly amount: string;
  readonly currency: string;
}

const REFERENCE_CHARACTERS = 18;

/** Table: meanings of the answers (COBS 3.2.3). */
const ANSWERS: Readonly<Record<string, string>> = {
  APPR: "there is enough money in the account",
  DECL: "there is not enough money in the account",
};

/** Asks whether the PSU's account holds an amount (COBS 3.2.3). */
export async function check(context: CommandContext, options: CheckOptions): Promise<CommandResult> {
  const body = writeWithNumber({
    exchangeIdentification: newReference().slice(0, REFERENCE_CHARACTERS),
    debtorAccount: { identification: { iban: options.iban } },
    transactionDetails: { currency: options.currency, totalAmount: requireNumber(options.amount) },
  });
  const told = await withPayments(context, options, (payments) => payments.checkBalance(body));
  return { json: told, text: `${told.response}  ${ANSWERS[told.response] ?? ""}` };
}
