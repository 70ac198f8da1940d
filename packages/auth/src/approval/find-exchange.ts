import type { PsuId } from "@cobs/cobs-model";
import { afterLimit, type OnBehalf, PrivateServiceUnavailable } from "@cobs/service-edge";
import type { PsuAccounts } from "../bank/psu-accounts.ts";
import type { Exchange } from "../pages/signing-view.ts";
import type { OrderTexts } from "../signing/order.ts";

/** How long the page of an order waits for resource. It can do without: its text for an unknown currency is true of any. */
const LIMIT_MILLISECONDS = 500;

/**
 * Whether the bank has to exchange the amount. The order may name the currency it is paid in, and so may a charge, which is in
 * the currency of the paying account; otherwise the bank is asked. The bank only tells the account's main currency: an amount in
 * another one may still be paid from what the account holds in it.
 */
export async function findExchange(
  psuAccounts: PsuAccounts,
  { psu, says }: { readonly psu: PsuId; readonly says: OrderTexts },
  onBehalf: OnBehalf,
): Promise<Exchange> {
  const { currency, debtorCurrency = says.feeCurrency } = says;
  if (debtorCurrency !== undefined) return debtorCurrency === currency ? "none" : "made";
  const main = await findMainCurrencies(psuAccounts, { psu, says }, onBehalf);
  return main.includes(currency) ? "none" : "unknown";
}

/** The main currency of the paying account; none when the bank cannot tell, or not in time. */
async function findMainCurrencies(
  psuAccounts: PsuAccounts,
  { psu, says }: { readonly psu: PsuId; readonly says: OrderTexts },
  onBehalf: OnBehalf,
): Promise<readonly string[]> {
  const givenUp = new AbortController();
  const limit = afterLimit(LIMIT_MILLISECONDS, () =>
    givenUp.abort(new Error(`no answer within ${LIMIT_MILLISECONDS} ms`)),
  );
  try {
    const accounts = await psuAccounts.accountsOf(psu, onBehalf, givenUp.signal);
    return accounts.filter(({ iban }) => iban === says.debtorIban).map(({ currency }) => currency);
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return [];
    throw error;
  } finally {
    clearTimeout(limit);
  }
}
