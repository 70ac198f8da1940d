import {
  type Account,
  ContentRefusal,
  endOfBankDay,
  findSpan,
  isCalendarDay,
  type PageContent,
  requireTransaction,
  type Span,
  startOfBankDay,
  type Transaction,
} from "@cobs/cobs-model";
import { askTransactions } from "../bank/http-connector/core-questions.ts";
import {
  isJsonObject,
  type JsonObject,
  requireList,
  requireObject,
} from "../bank/http-connector/json-members.ts";
import { asItCanBeTold, inLanguagesOfApi } from "../bank/http-connector/parse-transactions.ts";
import { BY_DAY_ALONE } from "./day-order-check.ts";
import { NO_FOREIGN_ENTRIES } from "./foreign-entries-check.ts";
import { currenciesOf } from "./kit-books.ts";
import { counted, type KitCheck, NotShown, requireSo, Shortcoming } from "./kit-check.ts";
import {
  BEGINNING,
  dayOfBooking,
  type KitScene,
  LOOKED_AT_ACCOUNTS,
  NEWEST,
  WHOLE_PAGE,
} from "./kit-scene.ts";
import { requireOrder } from "./require-order.ts";
import { explainOther, findOther, SMALL_PAGE, SMALL_PAGES, tellSmallPages } from "./small-pages.ts";
import { findSortableSpan, ORDERS_OF_BOOKING, OTHER_ORDERS, presentOrder } from "./sort-orders.ts";

const BOUNDARIES_OF_A_KIND = 5;
const MINUTE_MS = 60_000;
/** Last page that a TPP can ask for. */
const FARTHEST_PAGE = 999_999_999_999_999;

const NAMED = 3;

/** Checks which transactions a core system lists, and in which pages (clause 5). */
export const TRANSACTION_CHECKS: readonly KitCheck[] = [
  {
    clause: "5.1",
    title: "Transactions have the form of the contract, and what their kind needs",
    show: async (scene) => {
      const { account, entries, totalCount } = await scene.history();
      const others = await believeNewest(scene);
      const newest = await tellNewest(scene, account);
      const passedOver = findIn(newest, strangersIn);
      const changed = findIn(newest, changedIn).filter((place) => !passedOver.includes(place));
      const hints = [hint("ignored", passedOver), hint("shown in other characters", changed)];
      const seen = `${entries.length} of ${counted(totalCount, "transaction")}, and the newest of ${counted(others, "account")}`;
      return [seen, ...hints.flat()].join("; ");
    },
  },
  NO_FOREIGN_ENTRIES,
  {
    clause: "5.2",
    title: "Pages of every size have the same transactions, each once",
    show: async (scene) => {
      const { account, entries } = await scene.history();
      const told = await tellSmallPages(scene, account);
      const other = findOther(told, entries);
      if (other !== undefined) throw new Shortcoming(explainOther(other));
      requireSo(told.length === Math.min(entries.length, SMALL_PAGE * SMALL_PAGES), "a page is missing");
      return `${told.length} in pages of ${SMALL_PAGE}`;
    },
  },
  {
    clause: "5.3",
    title: "Every page has the same totalCount, and a page past the end is empty",
    show: async (scene) => {
      const { account, totalCount } = await scene.history();
      for (const size of [WHOLE_PAGE, SMALL_PAGE]) {
        const last = Math.ceil(totalCount / size);
        for (const page of [0, 1, last, last + 1, FARTHEST_PAGE]) {
          const content = await scene.list(account, { page: { page, size } });
          requireSo(
            content.totalCount === totalCount,
            `with size=${size}, page ${page} has totalCount ${content.totalCount}, not ${totalCount}`,
            content,
          );
        }
      }
      return `${totalCount} each time`;
    },
  },
  {
    clause: "5.4",
    title: "Without a sort order, pending transactions come first, then booked ones, newest first",
    show: async (scene) => {
      const { entries } = await scene.history();
      const places = entries.map((entry) => (entry.status === "PDNG" ? "9" : dayOfBooking(entry)));
      requireSo(isDescending(places), "an older transaction comes before a newer one");
      const pending = entries.filter(({ status }) => status === "PDNG").length;
      return `${entries.length} in order, ${pending} of them pending`;
    },
  },
  {
    clause: "5.5",
    title: "A requested sort order holds over all pages, and changes nothing else",
    show: async (scene) => {
      const { totalCount } = await scene.history();
      for (const sort of ORDERS_OF_BOOKING) await requireOrder(scene, sort, { from: BEGINNING, totalCount });
      const span = await findSortableSpan(scene);
      for (const sort of OTHER_ORDERS) await requireOrder(scene, sort, span);
      const seen = [...ORDERS_OF_BOOKING, ...OTHER_ORDERS].map(presentOrder).join(" ");
      if (span.totalCount === totalCount) return seen;
      return `${seen}; bookingDate alone over all ${totalCount}, the others over the newest ${span.totalCount} (3.4)`;
    },
  },
  BY_DAY_ALONE,
  {
    clause: "5.6",
    title: "A period begins with `from` and ends before `before`",
    show: async (scene) => {
      const { account, totalCount } = await scene.history();
      const boundaries = await boundariesIn(scene);
      for (const at of boundaries) {
        const earlier = await scene.list(account, { before: at });
        const later = await scene.list(account, { from: at });
        const sum = earlier.totalCount + later.totalCount;
        requireSo(sum === totalCount, `split at ${at.toISOString()}, there are ${sum}, not ${totalCount}`);
        requireNone(earlier, ({ from }) => from >= at, `before=${at.toISOString()}`);
        requireNone(later, ({ before }) => before <= at, `from=${at.toISOString()}`);
      }
      return `split at ${boundaries.length} instants`;
    },
  },
  {
    clause: "5.7",
    title: "A period of no length is empty",
    show: async (scene) => {
      const { account } = await scene.history();
      const now = new Date();
      const content = await scene.list(account, { from: now, before: now });
      requireSo(content.totalCount === 0, `it has ${counted(content.totalCount, "transaction")}`, content);
      return "empty";
    },
  },
  {
    clause: "5.8",
    title: "Without a currency, transactions are those in the account's main currency",
    show: async (scene) => {
      const { account, totalCount, entries } = await scene.history();
      const wanted = await scene.list(account, { currency: account.currency });
      requireSo(wanted.totalCount === totalCount, `with its currency there are ${wanted.totalCount}`);
      const other = findOther(wanted.entries, entries);
      requireSo(other === undefined, `transactions[${other}] is not the same as without`);
      return `${totalCount} in ${account.currency}`;
    },
  },
];

/** Reads the newest transactions of the accounts in each currency; gives how many accounts. */
async function believeNewest(scene: KitScene): Promise<number> {
  const accounts = (await scene.accounts()).slice(0, LOOKED_AT_ACCOUNTS);
  for (const account of accounts)
    for (const currency of await currenciesOf(scene, account)) await scene.list(account, { currency });
  return accounts.length;
}

/** The newest transactions as received, before they are parsed. */
function tellNewest({ core, psu }: KitScene, { id: account }: Account): Promise<readonly JsonObject[]> {
  const question = askTransactions({ ...NEWEST, psu, account });
  const limits = { path: "transactions", most: WHOLE_PAGE };
  const parse = (answer: unknown) =>
    requireList(requireObject(answer, "answer").transactions, limits, requireObject);
  return core.ask({ ...question, parse });
}

type Find = (entry: JsonObject, path: string) => readonly string[];

function findIn(told: readonly JsonObject[], find: Find): readonly string[] {
  return told.flatMap((entry, place) => find(entry, `transactions[${place}]`));
}

/** A remark that is not a failure but worth knowing. */
function hint(what: string, places: readonly string[]): readonly string[] {
  return places.length === 0 ? [] : [`${what}: ${places.slice(0, NAMED).join(", ")}`];
}

/** Places of members that the connector skips; the rest of the entry has already parsed. */
function strangersIn(entry: JsonObject, path: string): readonly string[] {
  const languages = placesOfOthers(entry.details, inLanguagesOfApi(entry.details), `${path}.details`);
  try {
    requireTransaction(asItCanBeTold(entry), path);
    return languages;
  } catch (error) {
    if (error instanceof ContentRefusal)
      return [...languages, ...error.faults.map((fault) => fault.path ?? path)];
    throw error;
  }
}

/** Places of texts that a TPP gets in changed form. */
function changedIn(entry: unknown, path: string): readonly string[] {
  return placesOfOthers(entry, asItCanBeTold(entry), path);
}

function placesOfOthers(one: unknown, other: unknown, path: string): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other))
    return one.flatMap((item, at) => placesOfOthers(item, other[at], `${path}[${at}]`));
  if (isJsonObject(one) && isJsonObject(other))
    return Object.keys(one).flatMap((name) => placesOfOthers(one[name], other[name], `${path}.${name}`));
  return one === other ? [] : [path];
}

/**
 * Instants to split the history at. For some bookings: their instant, the first after it, and one a minute later, which is
 * past even if only minutes are given. For some days with bookings: both ends, so that a time or day given in another zone
 * shows at one of the two.
 */
async function boundariesIn(scene: KitScene): Promise<readonly Date[]> {
  const booked = (await scene.history()).entries.filter(({ status }) => status === "BOOK");
  const instants = booked.flatMap((entry) => momentOf(entry)?.from ?? []).slice(0, BOUNDARIES_OF_A_KIND);
  const passed = instants.flatMap((at) => [1, MINUTE_MS].map((later) => new Date(at.getTime() + later)));
  const days = [...new Set(booked.map(dayOfBooking))].slice(0, BOUNDARIES_OF_A_KIND);
  const ends = days.flatMap((day) => [startOfBankDay(day), endOfBankDay(day)]);
  const found = [...instants, ...passed, ...ends];
  if (found.length === 0) throw new NotShown("nothing is booked to the account");
  return found;
}

/** When a transaction was booked, if more than the day is given. */
function momentOf({ status, bookingDate }: Transaction): Span | undefined {
  return status === "BOOK" && !isCalendarDay(bookingDate) ? findSpan(bookingDate) : undefined;
}

function requireNone(
  content: PageContent<Transaction>,
  isOutside: (booked: Span) => boolean,
  span: string,
): void {
  const { entries } = content;
  const place = entries.findIndex((entry) => {
    const booked = momentOf(entry);
    return booked !== undefined && isOutside(booked);
  });
  requireSo(
    place === -1,
    `with ${span}, transactions[${place}] was booked at ${entries[place]?.bookingDate}`,
    content,
  );
}

function isDescending(keys: readonly string[]): boolean {
  return keys.slice(1).every((key, at) => (keys[at] ?? key) >= key);
}
