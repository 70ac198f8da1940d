import { randomUUID } from "node:crypto";
import { type CurrencyCode, parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { askAccounts, askBalances } from "../bank/http-connector/core-questions.ts";
import { counted, type KitCheck, requireSo } from "./kit-check.ts";
import { BEGINNING, findForeignAccount } from "./kit-scene.ts";
import { requireProblem } from "./problem.ts";
import { NO_CURRENCY } from "./strange-currencies.ts";
import { remarkUnlisted } from "./unlisted-currencies.ts";

const MAX_ID_LENGTH = 64;

/** Checks which accounts a core system lists, and for whom (clauses 2 to 4). */
export const ACCOUNT_CHECKS: readonly KitCheck[] = [
  {
    clause: "2.1",
    title: "The accounts of a PSU have the form of the contract",
    show: async (scene) => {
      const accounts = await scene.accounts();
      return remarkUnlisted(
        counted(accounts.length, "account"),
        accounts.map(({ currency }) => currency),
      );
    },
  },
  {
    clause: "2.2",
    title: "They come in the same order each time",
    show: async (scene) => {
      const idsOf = async () => (await scene.core.ask(askAccounts(scene.psu))).map(({ id }) => id).join();
      const first = await idsOf();
      for (let time = 0; time < 3; time += 1)
        requireSo((await idsOf()) === first, "the same question got a different answer");
      return "four times alike";
    },
  },
  {
    clause: "2.3",
    title: "An unknown PSU has no accounts",
    show: async ({ core }) => {
      const found = await core.ask(askAccounts(parsePsuId(`kit-${randomUUID()}`)));
      requireSo(found.length === 0, `an unknown PSU has ${counted(found.length, "account")}`, found);
      return "an empty list";
    },
  },
  {
    clause: "2.3",
    title: "A PSU whose id is almost that of another has none of the other's accounts",
    show: async ({ core, psu, otherPsu, accounts }) => {
      const own = new Set((await accounts()).map(({ id }) => id));
      for (const other of almost(psu).filter((each) => each !== otherPsu)) {
        const found = await core.ask(askAccounts(parsePsuId(other)));
        requireSo(!found.some(({ id }) => own.has(id)), `${other} has accounts of ${psu}`, found);
      }
      return "in other letters, shorter, longer";
    },
  },
  {
    clause: "3.1",
    title: "An account that nobody has is refused with 404 account_unknown",
    show: async (scene) => {
      const own: readonly string[] = (await scene.accounts()).map(({ id }) => id);
      const others = almost(own[0] ?? "").filter((each) => !own.includes(each));
      for (const id of [unknownAccount(), ...others])
        for (const path of pathsOf(scene.psu, id))
          requireProblem(await scene.core.send(path), unknown("an unknown account"));
      return "for balances and transactions";
    },
  },
  {
    clause: "3.2",
    title: "An account that only another PSU has is refused in the same words",
    show: async (scene) => {
      const { id: foreign } = await findForeignAccount(scene);
      const [unknownPaths, foreignPaths] = [unknownAccount(), foreign].map((id) => pathsOf(scene.psu, id));
      for (const [at, path] of (foreignPaths ?? []).entries()) {
        const told = requireProblem(await scene.core.send(path), unknown("another PSU's account"));
        const wanted = requireProblem(await scene.core.send(unknownPaths?.[at] ?? ""), unknown("an account"));
        requireSo(inWords(told) === inWords(wanted), "the two refusals differ");
      }
      return "the two refusals are alike";
    },
  },
  {
    clause: "3.3",
    title: "A currency that the account is not kept in is refused with 400 currency_unknown",
    show: async (scene) => {
      const { account } = await scene.history();
      for (const path of pathsOf(scene.psu, account.id, NO_CURRENCY)) {
        const answer = await scene.core.send(path);
        requireProblem(answer, { status: 400, code: "currency_unknown", of: `currency ${NO_CURRENCY}` });
      }
      return "for balances and transactions";
    },
  },
  {
    clause: "4.1",
    title: "The balances of every account have the form of the contract, the main currency first",
    show: async ({ core, psu, accounts }) => {
      const kept: CurrencyCode[] = [];
      for (const { id: account, currency } of await accounts()) {
        const balances = await core.ask(askBalances({ psu, account, currency: undefined }));
        const [first] = balances;
        requireSo(
          first?.amount.currency === currency,
          "the first balance is not in the account's currency",
          balances,
        );
        kept.push(...balances.map(({ amount }) => amount.currency));
      }
      return remarkUnlisted(`of ${counted((await accounts()).length, "account")}`, kept);
    },
  },
  {
    clause: "4.2",
    title: "With a currency, they are the balances in that currency",
    show: async ({ core, psu, accounts }) => {
      for (const { id: account } of await accounts()) {
        const all = await core.ask(askBalances({ psu, account, currency: undefined }));
        for (const currency of new Set(all.map(({ amount }) => amount.currency))) {
          const some = await core.ask(askBalances({ psu, account, currency }));
          const wanted = all.filter(({ amount }) => amount.currency === currency);
          requireSo(
            kindsOf(some) === kindsOf(wanted),
            "not the same types of balances as without a currency",
          );
        }
      }
      return `of ${counted((await accounts()).length, "account")}`;
    },
  },
];

function unknownAccount() {
  return parseAccountId(`kit-${randomUUID()}`);
}

function unknown(of: string) {
  return { status: 404, code: "account_unknown", of };
}

function pathsOf(psu: string, account: string, currency?: CurrencyCode): readonly string[] {
  const base = `/psus/${psu}/accounts/${account}`;
  const wanted = currency === undefined ? "" : `&currency=${currency}`;
  const from = `from=${BEGINNING.toISOString()}`;
  return [`${base}/balances?${wanted.slice(1)}`, `${base}/transactions?${from}${wanted}`];
}

/** Ids that a careless comparison takes for this one; they may exist. */
function almost(id: string): readonly string[] {
  const otherwise = id.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const candidates = [otherwise, id.slice(0, -1), `${id}0`.slice(-MAX_ID_LENGTH)];
  return candidates.filter((each) => each !== "" && each !== id);
}

/** A refusal as text, without the member that differs for each occurrence (RFC 9457 section 3.1.5). */
function inWords({ instance: _instance, ...problem }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(problem).sort());
}

function kindsOf(balances: readonly { readonly type: string }[]): string {
  return balances
    .map(({ type }) => type)
    .sort()
    .join();
}
