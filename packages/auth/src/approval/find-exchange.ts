import type { PsuId } from "@cobs/cobs-model";
import { type OnBehalf, PrivateServiceUnavailable } from "@cobs/service-edge";
import type { PsuAccounts } from "../bank/psu-accounts.ts";
import type { Exchange } from "../pages/signing-view.ts";
import type { OrderTexts } from "../signing/order.ts";

/**
 * Whether the bank has to exchange an amount: the order says in which currency it is to be paid, or else the bank is asked. It
 * tells the main currency of an account alone: one in another may still be paid from what the account keeps in that.
 */
export async function findExchange(
  psuAccounts: PsuAccounts,
  { psu, says }: { readonly psu: PsuId; readonly says: OrderTexts },
  onBehalf: OnBehalf,
): Promise<Exchange> {
  const { currency, debtorCurrency } = says;
  if (debtorCurrency !== undefined) return debtorCurrency === currency ? "none" : "made";
  const main = await findMainCurrencies(psuAccounts, { psu, says }, onBehalf);
  return main.includes(currency) ? "none" : "unknown";
}

/** That of the account that pays; none while the bank cannot tell. */
async function findMainCurrencies(
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
