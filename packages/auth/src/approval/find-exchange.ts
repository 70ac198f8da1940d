import type { PsuId } from "@cobs/cobs-model";
import { type OnBehalf, PrivateServiceUnavailable } from "@cobs/service-edge";
import type { PsuAccounts } from "../bank/psu-accounts.ts";
import type { Exchange } from "../pages/signing-view.ts";
import type { OrderTexts } from "../signing/order.ts";

/** Whether the bank has to exchange an amount: the order says in which currency it is to be paid, or else the bank is asked. */
export async function findExchange(
  psuAccounts: PsuAccounts,
  { psu, says }: { readonly psu: PsuId; readonly says: OrderTexts },
  onBehalf: OnBehalf,
): Promise<Exchange> {
  const { currency, debtorCurrency } = says;
  const kept =
    debtorCurrency === undefined
      ? await findCurrencies(psuAccounts, { psu, says }, onBehalf)
      : [debtorCurrency];
  if (kept.length === 0) return "unknown";
  return kept.includes(currency) ? "none" : "made";
}

/** Those in which the account that pays is kept; none while the bank cannot tell. */
async function findCurrencies(
  psuAccounts: PsuAccounts,
  { psu, says }: { readonly psu: PsuId; readonly says: OrderTexts },
  onBehalf: OnBehalf,
): Promise<readonly string[]> {
  try {
    const accounts = await psuAccounts.accountsOf(psu, onBehalf);
    return accounts.filter(({ iban }) => iban === says.debtorIban).map(({ currency }) => currency);
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return [];
    throw error;
  }
}
