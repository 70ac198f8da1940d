import type { Account, PsuId, Transaction } from "@cobs/cobs-model";
import { askTransactions } from "../bank/http-connector/core-questions.ts";
import { currenciesOf } from "./kit-books.ts";
import { counted, type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { comparable, findForeignAccounts, type KitScene, LOOKED_AT_ACCOUNTS, NEWEST } from "./kit-scene.ts";
import { namesAccount } from "./names-account.ts";

/**
 * Checks that the list of an account has no transaction of somebody else's account, among the newest of each (clause 5.1).
 */
export const NO_FOREIGN_ENTRIES: KitCheck = {
  clause: "5.1",
  title: "No transaction of another PSU's account is among those of the PSU",
  show: async (scene) => {
    const { core, psu, otherPsu, accounts } = scene;
    const own = new Set((await accounts()).map(({ iban }) => iban));
    // An account that both PSUs have may have a different id for each.
    const foreign = (await findForeignAccounts(scene)).filter(({ iban }) => !own.has(iban));
    const known = new Map<string, Account>();
    for (const account of foreign.slice(0, LOOKED_AT_ACCOUNTS))
      for (const { entries } of await newestOf(core, otherPsu ?? psu, account))
        for (const entry of entries.filter((each) => namesAccount(each, account)))
          known.set(comparable(entry), account);
    if (known.size === 0)
      throw new NotShown(
        `needs transactions of ${otherPsu} whose details name the account, by its IBAN or its number`,
      );
    for (const account of (await accounts()).slice(0, LOOKED_AT_ACCOUNTS))
      for (const page of await newestOf(core, psu, account)) requireNoneOf(known, account, page);
    return `${counted(known.size, "transaction")} of ${counted(foreign.length, "account")} of the other PSU are listed only there`;
  },
};

interface NewestPage {
  readonly entries: readonly Transaction[];
}

/** The newest page of an account in each of its currencies, as answered. */
async function newestOf(
  core: KitScene["core"],
  psu: PsuId,
  account: Account,
): Promise<readonly NewestPage[]> {
  const pages: NewestPage[] = [];
  for (const currency of await currenciesOf({ core, psu }, account))
    pages.push(await core.ask(askTransactions({ ...NEWEST, psu, account: account.id, currency })));
  return pages;
}

function requireNoneOf(known: ReadonlyMap<string, Account>, { id }: Account, page: NewestPage): void {
  for (const [place, entry] of page.entries.entries()) {
    const other = known.get(comparable(entry));
    requireSo(
      other === undefined,
      `transactions[${place}] of account ${id} is also listed for account ${other?.id}, which the PSU does not have`,
      page,
    );
  }
}
