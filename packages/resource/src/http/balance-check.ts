import { type BalanceCheckDocument, ContentRefusal, presentBalanceCheck } from "@cobs/cobs-model";
import type { Answer, IncomingCall, OnBehalf } from "@cobs/service-edge";
import type { TppAdmission, TppNeeds } from "../admission/admission.ts";
import { type CheckedBalance, checkBalance } from "../balance-check/check-balance.ts";
import { holdersWhoConsented, holdersWhoPay } from "../balance-check/find-holders.ts";
import type { BalanceCheckRouteParts } from "../balance-check/open-balance-checks.ts";
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
    answer: async (admission, { query: { body }, faults }) => {
      if (body === undefined) throw new ContentRefusal(faults);
      const { organisationIdentifier } = admission.tpp;
      const findHolders = holdersWhoPay(parts.accounts, admission);
      return answerOf(await checkBalance(parts, { organisationIdentifier, body, faults }, findHolders));
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
      const findHolders = holdersWhoConsented(parts.cardConsents, organisationIdentifier, call);
      return answerOf(await checkBalance(parts, { organisationIdentifier, body, faults }, findHolders));
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
