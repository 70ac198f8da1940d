import { type BalanceCheckDocument, keepNumber, presentBalanceCheck } from "@cobs/cobs-model";
import type { Answer, IncomingCall } from "@cobs/service-edge";
import type { TppAdmission, TppNeeds } from "../admission/admission.ts";
import { type CheckedBalance, checkBalance } from "../balance-check/check-balance.ts";
import type { BalanceCheckRouteParts } from "../balance-check/open-balance-checks.ts";
import { CARD_BALANCE_CHECK, PAYMENT_BALANCE_CHECK } from "./cobs-resources.ts";
import type { OfferedResource, Read } from "./offered-resource.ts";

/** A body as it came. */
type CheckBody = { readonly body: unknown };

/** `POST /my/payments/balanceCheck` (COBS 3.2.3): about any account of the PSU, who lets this TPP initiate payments. */
export function paymentBalanceCheck(parts: BalanceCheckRouteParts): OfferedResource<CheckBody> {
  return {
    resource: PAYMENT_BALANCE_CHECK,
    read: readBody,
    answer: async ({ tpp, psu }, { query, faults }) => {
      const wish = { organisationIdentifier: tpp.organisationIdentifier, ...query, faults };
      const checked = await checkBalance(parts, wish, async (iban) => {
        const account = (await parts.accounts.accountsOf(psu)).find((each) => each.iban === iban);
        return account && { psu, account: account.id };
      });
      return answerOf(checked);
    },
  };
}

/** `POST /accounts/balanceCheck` (COBS 3.3.3): about an account whose PSU has agreed with the bank. */
export function cardBalanceCheck(
  parts: BalanceCheckRouteParts,
): OfferedResource<CheckBody, TppNeeds, TppAdmission> {
  return {
    resource: CARD_BALANCE_CHECK,
    read: readBody,
    answer: async ({ tpp: { organisationIdentifier } }, { query, faults }) => {
      const wish = { organisationIdentifier, ...query, faults };
      const find = parts.cardConsents.find;
      return answerOf(await checkBalance(parts, wish, (iban) => find({ organisationIdentifier, iban })));
    },
  };
}

async function readBody(call: IncomingCall): Promise<Read<CheckBody>> {
  return { query: { body: await call.readJson(keepNumber) }, faults: [] };
}

function answerOf({ check, responseIdentification, enough }: CheckedBalance): Answer {
  const json: BalanceCheckDocument = presentBalanceCheck(check, { responseIdentification, enough });
  return { status: 200, json };
}
