import { type BalanceCheckDocument, ContentRefusal, type Iban, presentBalanceCheck } from "@cobs/cobs-model";
import type { Answer, IncomingCall, OnBehalf } from "@cobs/service-edge";
import type { TppAdmission, TppNeeds } from "../admission/admission.ts";
import { type CheckedBalance, checkBalance } from "../balance-check/check-balance.ts";
import type { BalanceCheckRouteParts } from "../balance-check/open-balance-checks.ts";
import { coversPayer } from "../initiation/require-order.ts";
import { CARD_BALANCE_CHECK, PAYMENT_BALANCE_CHECK } from "./cobs-resources.ts";
import type { OfferedResource, Read } from "./offered-resource.ts";
import { readSentJson } from "./read-sent-json.ts";

/** A body as it was sent, and the call that it came with. */
type CheckBody = { readonly body: unknown; readonly call: OnBehalf };

/** Serves `POST /my/payments/balanceCheck` (COBS 3.2.3), about an account from which the PSU lets this TPP pay. */
export function paymentBalanceCheck(parts: BalanceCheckRouteParts): OfferedResource<CheckBody> {
  return {
    resource: PAYMENT_BALANCE_CHECK,
    read: readBody,
    answer: async ({ tpp, psu, accounts }, { query, faults }) => {
      if (query.body === undefined) throw new ContentRefusal(faults);
      const input = { organisationIdentifier: tpp.organisationIdentifier, body: query.body, faults };
      const checked = await checkBalance(parts, input, async (iban) => {
        const own = await parts.accounts.accountsOf(psu);
        const covered = own.filter((each) => each.iban === iban && coversPayer({ accounts }, each.id));
        const [first, ...others] = covered.map(({ id }) => id);
        return first === undefined ? [] : [{ psu, accounts: [first, ...others] }];
      });
      return answerOf(checked);
    },
  };
}

/** Serves `POST /accounts/balanceCheck` (COBS 3.3.3), about an account whose PSU has agreed to it. */
export function cardBalanceCheck(
  parts: BalanceCheckRouteParts,
): OfferedResource<CheckBody, TppNeeds, TppAdmission> {
  return {
    resource: CARD_BALANCE_CHECK,
    read: readBody,
    answer: async ({ tpp: { organisationIdentifier } }, { query, faults }) => {
      const { body, call } = query;
      if (body === undefined) throw new ContentRefusal(faults);
      const find = async (iban: Iban) => {
        const consents = await parts.cardConsents.find({ organisationIdentifier, iban }, call);
        return consents.map(({ psu, account }) => ({ psu, accounts: [account] as const }));
      };
      return answerOf(await checkBalance(parts, { organisationIdentifier, body, faults }, find));
    },
  };
}

async function readBody(call: IncomingCall): Promise<Read<CheckBody>> {
  const { body, faults } = await readSentJson(call);
  return { query: { body, call }, faults };
}

function answerOf({ check, responseIdentification, enough }: CheckedBalance): Answer {
  const json: BalanceCheckDocument = presentBalanceCheck(check, { responseIdentification, enough });
  return { status: 200, json };
}
