import { ContentRefusal, findPaymentType, type PaymentOrder } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";

/** A correct bank that accepts only the type of payment that follows from payee and currency (clause 7.5). */
export function believingTypes(bank: Bank): Bank {
  return {
    ...bank,
    inspectOrder: async (wanted) => {
      requireType(wanted.order);
      return bank.inspectOrder(wanted);
    },
    acceptOrder: async (order) => {
      requireType(order.order);
      return bank.acceptOrder(order);
    },
  };
}

function requireType({ type, amount, creditorAccount, creditorAgent }: PaymentOrder): void {
  const identification =
    "iban" in creditorAccount
      ? { iban: creditorAccount.iban }
      : { other: { identification: creditorAccount.number } };
  const bic = creditorAgent?.bic;
  const signs = {
    amount: { instructedAmount: { currency: amount.currency } },
    creditorAccount: { identification },
    creditorAgent: { financialInstitutionIdentification: { ...(bic && { bic }) } },
  };
  if (type === findPaymentType(signs, SANDBOX_TERMS)) return;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path: "type", message: `it is not ${type}` }]);
}
