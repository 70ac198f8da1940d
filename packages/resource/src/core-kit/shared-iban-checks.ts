/**
 * Checks that several accounts may share an IBAN. Of these, only the accounts that a question names may pay or be answered
 * about: a consent may cover one and not the others (clauses 6.2 and 6.3).
 */
import type { Account } from "@cobs/cobs-model";
import { askFunds, askInspection } from "../bank/http-connector/order-questions.ts";
import { findAvailable } from "./kit-books.ts";
import { counted, type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { findOrderOfType } from "./kit-order.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS } from "./kit-scene.ts";

/** The connector's check of answers notices another account that pays, as in every inspection. */
export const PAYERS_OF_ONE_IBAN: KitCheck = {
  clause: "6.2",
  title: "Of several accounts with one IBAN, only permitted ones pay",
  show: async (scene) => {
    const accounts = await accountsOfOneIban(scene);
    const terms = await scene.terms();
    for (const account of accounts) {
      const order = findOrderOfType("domestic", account, terms);
      if (order === undefined) throw new NotShown("the bank executes no domestic payment in crowns");
      await scene.core.ask(askInspection({ psu: scene.psu, accounts: [account.id], order }));
    }
    return `${counted(accounts.length, "account")}, each asked about alone`;
  },
};

/** The connector's check of answers notices another account here too. */
export const FUNDS_OF_ONE_IBAN: KitCheck = {
  clause: "6.3",
  title: "Of several accounts with one IBAN, the answer is about the funds of the one asked about",
  show: async (scene) => {
    const accounts = await accountsOfOneIban(scene);
    let told = 0;
    for (const account of accounts) if (await tellsOwnFunds(scene, account)) told += 1;
    if (told === 0)
      throw new NotShown(
        "none of the accounts that share an IBAN gives both its CLAV and an answer about its funds",
      );
    return `${told} of ${counted(accounts.length, "account")} agree with their own CLAV`;
  },
};

/** Whether an account gives both its CLAV and an answer about its funds; throws a `Shortcoming` if they disagree. */
async function tellsOwnFunds(scene: KitScene, account: Account): Promise<boolean> {
  const { core, psu } = scene;
  const { id, iban, currency } = account;
  const available = await findAvailable(scene, psu, account);
  if (available === undefined) return false;
  const all = available > 0n ? available : 0n;
  const look = (minor: bigint) =>
    core.ask(askFunds({ psu, accounts: [id], iban, currency: undefined, amount: { minor, currency } }));
  const more = await look(all + 1n);
  if (!more.known) return false;
  requireSo(!more.enough, `more than the CLAV of ${id} is said to be available`, more);
  if (all === 0n) return true;
  const enough = await look(all);
  requireSo(
    enough.known && enough.enough,
    `the amount of the CLAV of ${id} is said not to be available`,
    enough,
  );
  return true;
}

/** The first accounts of the PSU that share an IBAN; throws `NotShown` if none do. */
async function accountsOfOneIban({ accounts }: KitScene): Promise<readonly Account[]> {
  const all = await accounts();
  const shared = all.filter(({ id, iban }) => all.some((each) => each.iban === iban && each.id !== id));
  if (shared.length > 0) return shared.slice(0, LOOKED_AT_ACCOUNTS);
  throw new NotShown("no two accounts of the PSU have the same IBAN");
}
