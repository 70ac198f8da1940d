import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import {
  type Account,
  type AccountId,
  bankDayOf,
  daysBefore,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parsePsuId,
  type StoredTransaction,
  startOfBankDay,
} from "@cobs/cobs-model";
import type { Bank, OrderToExecute } from "@cobs/resource/sandbox";
import { BankRefusal } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { presentBankTime } from "../../packages/cobs-model/src/bank-day.ts";
import { provesApproval } from "../../packages/resource/src/bank/proves-approval.ts";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { runCommandLine } from "../../packages/resource/src/core-kit/command-line.ts";
import { approvedBytes } from "../../packages/resource/src/core-kit/kit-order.ts";
import { KIT_CHECKS, runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { SAMPLE_ACCOUNTS, SAMPLE_TRANSACTION } from "../resource/connector/sample-answers.ts";
import { answering, type Behaviour, startScriptedCore } from "../resource/connector/scripted-core.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";
import {
  atCoreOf,
  behindProxy,
  checksFor,
  clausesOf,
  openCoreAt,
  PAYEE,
  resultsOf,
  type Told,
} from "./kit-at-core.ts";
import { ANNA, BORIS, BORIS_IBAN, firstOf, fundsForEverything, memoryBank } from "./memory-bank.ts";

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

const HOUR_MS = 3_600_000;
const DAY_LENGTH = "YYYY-MM-DD".length;

/** Who has the accounts of Anna too. */
const ANNAS = parsePsuId("anna0");

const README = readFileSync("packages/resource/core-contract/README.md", "utf8");

type Transactions = Bank["listTransactions"];

/** Refuses with 400 and a body that is told to be of a media type. */
const refusingAs =
  (type: string, body: string): Behaviour =>
  (_request, response) =>
    void response.writeHead(400, { "Content-Type": type }).end(body);

type Refuse = (refused: Told, asked: { readonly status: number; readonly path: string }) => Behaviour;

/** Core systems whose refusals are wrong, and the clause that shows it. */
const WRONGLY_REFUSING: readonly (readonly [string, string, Refuse])[] = [
  ["with another status", "1.4", (refused) => answering(refused, 422)],
  ["as plain JSON", "1.4", (refused) => refusingAs("application/json", JSON.stringify(refused))],
  ["without JSON", "1.4", () => refusingAs("application/problem+json", "<p>Bad Request")],
  ["with a code of its own", "1.4", (refused) => answering({ ...refused, code: "bad_request" }, 400)],
  [
    "another PSU's account in other words",
    "3.2",
    (refused, { status, path }) =>
      answering(
        path.includes("/accounts/b1/") ? { ...refused, detail: "It is another's." } : refused,
        status,
      ),
  ],
];

/** Changes one member of the answers that have it. */
const naming =
  (name: string, value: unknown) =>
  (told: Told): Told =>
    name in told ? { ...told, [name]: value } : told;

/** Proxies that make answers name another, or nobody. */
const WRONGLY_NAMING: readonly (readonly [string, () => (told: Told) => Told])[] = [
  ["no PSU", () => naming("psuId", undefined)],
  ["another PSU", () => naming("psuId", BORIS)],
  ["another account", () => naming("accountId", "a0")],
  ["another IBAN", () => naming("iban", PAYEE)],
  ["another payment", () => naming("paymentId", "p0")],
  [
    "what was asked before",
    () => {
      let before: Told | undefined;
      return (told) => {
        const earlier = before ?? told;
        before = told;
        return earlier;
      };
    },
  ],
];

/** A right bank whose accounts are told in another way. */
function listingWrongly(change: (account: Account) => Account): Bank {
  const { accountsOf, ...bank } = memoryBank();
  return { ...bank, accountsOf: async (psu) => (await accountsOf(psu)).map(change) };
}

/** A right bank whose transactions are told in another way. */
function tellingWrongly(change: (list: Transactions) => Transactions): Bank {
  const bank = memoryBank();
  return { ...bank, listTransactions: change(bank.listTransactions) };
}

/** A right bank that books orders in another way. */
function bookingWrongly(change: (entry: StoredTransaction) => StoredTransaction): Bank {
  return tellingWrongly((list) => async (request) => {
    const { entries, totalCount } = await list(request);
    const told = entries.map((entry) => (entry.entryReference?.startsWith("T-") ? entry : change(entry)));
    return { entries: told, totalCount };
  });
}

const LATER = 1;

/** A right bank whose orders go another way. */
function orderingWrongly(change: (bank: Bank) => Partial<Bank>): Bank {
  const bank = memoryBank();
  return { ...bank, ...change(bank) };
}

/** Takes each order twice, the second time under an id of its own. */
function acceptingTwice(bank: Bank): Bank["acceptOrder"] {
  let times = 0;
  return async (order) => {
    times += 1;
    await bank.acceptOrder(order);
    return bank.acceptOrder(underAnotherId(order, times));
  };
}

/** The same order as it would have been approved as another payment. */
function underAnotherId(order: OrderToExecute, number: number): OrderToExecute {
  const paymentId = order.paymentId.slice(0, 20) + String(number).padStart(12, "0");
  return { ...order, paymentId, ...approvedBytes({ ...order, paymentId }) };
}

/** A right bank whose balances are told in another way; each by how much more than there is. */
function balancingWrongly(
  more: (account: string, bank: Bank) => bigint,
  change: (bank: Bank) => Partial<Bank> = () => ({}),
): Bank {
  const bank = memoryBank();
  const { balancesOf } = bank;
  return {
    ...bank,
    ...change(bank),
    balancesOf: async (request) =>
      (await balancesOf(request)).map((balance) => ({
        ...balance,
        amount: { ...balance.amount, minor: balance.amount.minor + more(request.account, bank) },
      })),
  };
}

/** Charges its customers for what it rejects for a reason. */
function chargingForRejected(reason: string): Bank {
  let rejected = 0n;
  return balancingWrongly(
    () => -rejected,
    ({ acceptOrder }) => ({
      acceptOrder: async (order) => {
        const outcome = await acceptOrder(order);
        if (outcome.outcome === "rejected" && outcome.reason === reason) rejected += 1n;
        return outcome;
      },
    }),
  );
}

/** What the kit alters of an order, as its PSU approved it. */
const APPROVED_PARTS: readonly (readonly [string, (ordered: OrderToExecute) => OrderToExecute])[] = [
  [
    "the amount",
    (ordered) => {
      const amount = { ...ordered.order.amount, minor: 100n };
      return { ...ordered, order: { ...ordered.order, amount } };
    },
  ],
  [
    "the payee",
    (ordered) => {
      const creditorAccount = { iban: PAYEE, currency: undefined };
      return { ...ordered, order: { ...ordered.order, creditorAccount } };
    },
  ],
  ["the day", (ordered) => ({ ...ordered, executionDate: bankDayOf(new Date()) })],
  ["the charge", (ordered) => ({ ...ordered, fee: undefined })],
];

/** Core systems that are wrong in one way each, and the clause that shows it. */
const WRONG: readonly (readonly [string, string, () => Bank])[] = [
  [
    "uses IBANs as ids of accounts",
    "2.1",
    () => listingWrongly((account) => ({ ...account, id: parseAccountId(account.iban) })),
  ],
  [
    "gives an account the number of another",
    "2.1",
    () => listingWrongly((account) => ({ ...account, number: parseCzechAccountNumber("2000000026") })),
  ],
  [
    "gives an account the code of another bank",
    "2.1",
    () => listingWrongly((account) => ({ ...account, servicer: { ...account.servicer, bankCode: "0800" } })),
  ],
  ["lists its accounts in another order each time", "2.2", turningRound],
  [
    "has accounts for unknown PSUs",
    "2.3",
    () => ({ ...memoryBank(), accountsOf: () => memoryBank().accountsOf(ANNA) }),
  ],
  [
    "has accounts for an id almost like their PSU's",
    "2.3",
    () => {
      const bank = memoryBank();
      return { ...bank, accountsOf: (psu) => bank.accountsOf(parsePsuId(psu.toLowerCase())) };
    },
  ],
  [
    "ignores the case of an account's id",
    "3.1",
    () => {
      const bank = memoryBank();
      const { balancesOf } = bank;
      const inSmall = (account: string) => parseAccountId(account.toLowerCase());
      return {
        ...bank,
        balancesOf: (request) => balancesOf({ ...request, account: inSmall(request.account) }),
      };
    },
  ],
  [
    "shows each PSU the other's accounts",
    "3.2",
    () => {
      const { accountsOf, ...bank } = memoryBank();
      return {
        ...bank,
        accountsOf: async (psu) =>
          [ANNA, BORIS].includes(psu) ? [...(await accountsOf(ANNA)), ...(await accountsOf(BORIS))] : [],
      };
    },
  ],
  [
    "has balances for unknown accounts",
    "3.1",
    () => {
      const bank = memoryBank();
      const own = async () => (await bank.accountsOf(ANNA))[0];
      return {
        ...bank,
        balancesOf: async (request) =>
          bank.balancesOf({ ...request, account: (await own())?.id ?? request.account }),
      };
    },
  ],
  [
    "reveals that an account is another PSU's",
    "3.2",
    () => {
      const bank = memoryBank();
      return {
        ...bank,
        balancesOf: (request) => {
          if (request.account === "b1" && request.psu === ANNA) throw new BankRefusal("currency_unknown");
          return bank.balancesOf(request);
        },
      };
    },
  ],
  [
    "ignores the requested currency",
    "3.3",
    () => tellingWrongly((list) => (request) => list({ ...request, currency: undefined })),
  ],
  [
    "lists the main currency last",
    "4.1",
    () => {
      const bank = memoryBank();
      return { ...bank, balancesOf: async (request) => (await bank.balancesOf(request)).toReversed() };
    },
  ],
  [
    "lists a balance in the main currency after one in another",
    "4.1",
    () => {
      const bank = memoryBank();
      const balancesOf: Bank["balancesOf"] = async (request) =>
        (await bank.balancesOf(request)).toSorted((one, other) => one.type.localeCompare(other.type));
      return { ...bank, balancesOf };
    },
  ],
  [
    "omits balances when a currency is named",
    "4.2",
    () => {
      const bank = memoryBank();
      return {
        ...bank,
        balancesOf: async (request) =>
          (await bank.balancesOf(request)).slice(0, request.currency === undefined ? undefined : 1),
      };
    },
  ],
  [
    "lists balances in a currency that the account is not kept in",
    "4.2",
    () => {
      const bank = memoryBank();
      const { balancesOf } = bank;
      return {
        ...bank,
        balancesOf: async (request) => {
          const told = await balancesOf(request);
          if (request.currency !== undefined) return told;
          const pounds = { minor: 1n, currency: parseCurrencyCode("GBP") };
          return [...told, ...told.slice(0, 1).map((first) => ({ ...first, amount: pounds }))];
        },
      };
    },
  ],
  [
    "gives the page before the requested one",
    "5.2",
    () =>
      tellingWrongly((list) => async (request) => {
        const { page, size } = request.page;
        if (size > 50 || page === 0) return list(request);
        const { totalCount, entries } = await list({ ...request, page: { page: page - 1, size } });
        return { totalCount, entries };
      }),
  ],
  [
    "has only one page if pages are small",
    "5.2",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries, totalCount } = await list(request);
        const { page, size } = request.page;
        if (size > 50) return { entries, totalCount };
        return { entries: page === 0 ? entries : [], totalCount: Math.min(totalCount, size) };
      }),
  ],
  [
    "lists a wrong transaction for another account, in another currency",
    "5.1",
    () =>
      tellingWrongly((list) => async (request) => {
        if (request.account !== "a2" || request.currency !== EUR) return list(request);
        const { entries } = await list({ ...request, account: parseAccountId("a1"), currency: CZK });
        const amount = { minor: 1n, currency: EUR };
        const wrong = entries.slice(0, 1).map((entry) => ({ ...entry, amount, entryReference: "T_1" }));
        return { entries: wrong, totalCount: wrong.length };
      }),
  ],
  [
    "counts zero transactions on a page past the end",
    "5.3",
    () =>
      tellingWrongly((list) => async (request) => {
        const content = await list(request);
        const isPast = content.entries.length === 0;
        return isPast ? { ...content, totalCount: 0 } : content;
      }),
  ],
  [
    "counts the transactions up to the page only",
    "5.3",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries, totalCount } = await list(request);
        const { page, size } = request.page;
        return { entries, totalCount: Math.min(totalCount, (page + 1) * size) };
      }),
  ],
  [
    "fails for a page number beyond 32 bits",
    "5.3",
    () =>
      tellingWrongly((list) => (request) => {
        if (request.page.page > 2_147_483_647) throw new Error("the number overflows");
        return list(request);
      }),
  ],
  [
    "counts one transaction too many",
    "5.1",
    () =>
      tellingWrongly((list) => async (request) => {
        const content = await list(request);
        return { ...content, totalCount: content.totalCount + (request.page.size > 50 ? 1 : 0) };
      }),
  ],
  [
    "counts the transactions of the page only",
    "5.2",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries } = await list(request);
        return { entries, totalCount: entries.length };
      }),
  ],
  [
    "lists the oldest first",
    "5.4",
    () =>
      tellingWrongly((list) => (request) => {
        const oldestFirst = [{ field: "bookingDate", direction: "asc" }] as const;
        return list({ ...request, sort: request.sort.length === 0 ? oldestFirst : request.sort });
      }),
  ],
  [
    "ignores requested sort orders",
    "5.5",
    () => tellingWrongly((list) => (request) => list({ ...request, sort: [] })),
  ],
  [
    "sorts only by the first of several fields",
    "5.5",
    () => tellingWrongly((list) => (request) => list({ ...request, sort: request.sort.slice(0, 1) })),
  ],
  [
    "sorts each page by itself",
    "5.5",
    () =>
      tellingWrongly((list) => async (request) => {
        const [sort] = request.sort;
        if (sort?.field !== "amount") return list(request);
        const { entries, totalCount } = await list({ ...request, sort: [] });
        const sign = sort.direction === "asc" ? 1 : -1;
        const sorted = entries.toSorted((one, other) => sign * Number(one.amount.minor - other.amount.minor));
        return { entries: sorted, totalCount };
      }),
  ],
  [
    "ignores a sort order by valueDate",
    "5.5",
    () =>
      tellingWrongly(
        (list) => (request) =>
          list({ ...request, sort: request.sort.filter(({ field }) => field !== "valueDate") }),
      ),
  ],
  [
    "omits the newest when a sort order is requested",
    "5.5",
    () =>
      tellingWrongly((list) => (request) => {
        const { sort, before } = request;
        return list({ ...request, before: sort.length > 0 ? new Date("2026-01-20T00:00:00Z") : before });
      }),
  ],
  [
    "applies spans in whole days",
    "5.6",
    () =>
      tellingWrongly((list) => (request) => {
        const dayOf = (at: Date) => startOfBankDay(bankDayOf(at));
        const { from, before } = request;
        return list({ ...request, from: dayOf(from), before: before && dayOf(before) });
      }),
  ],
  [
    "applies spans in whole seconds",
    "5.6",
    () =>
      tellingWrongly((list) => (request) => {
        const secondOf = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000);
        const { from, before } = request;
        return list({ ...request, from: secondOf(from), before: before && secondOf(before) });
      }),
  ],
  [
    "begins a span after `from`",
    "5.6",
    () =>
      tellingWrongly(
        (list) => (request) => list({ ...request, from: new Date(request.from.getTime() + LATER) }),
      ),
  ],
  [
    "ends a span with `before`",
    "5.6",
    () =>
      tellingWrongly((list) => (request) => {
        const { before } = request;
        return list({ ...request, before: before && new Date(before.getTime() + LATER) });
      }),
  ],
  ...(
    [
      ["ahead of", 1],
      ["behind", -1],
    ] as const
  ).map(
    ([where, sign]) =>
      [
        `shows times that are an hour ${where} those to which it applies spans`,
        "5.6",
        () =>
          tellingWrongly((list) => async (request) => {
            const { entries, totalCount } = await list(request);
            const told = entries.map((entry) =>
              entry.bookingDate.length > DAY_LENGTH
                ? {
                    ...entry,
                    bookingDate: presentBankTime(new Date(Date.parse(entry.bookingDate) + sign * HOUR_MS)),
                  }
                : entry,
            );
            return { entries: told, totalCount };
          }),
      ] as const,
  ),
  [
    "shows the UTC day of bookings at midnight",
    "5.6",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries } = await list({ ...request, page: { page: 0, size: 100 } });
        const { page, size } = request.page;
        const kept = entries.filter(({ bookingDate }) => bookingDate.length === DAY_LENGTH);
        const told = kept.map((entry) => ({ ...entry, bookingDate: daysBefore(entry.bookingDate, 1) }));
        return { entries: told.slice(page * size, (page + 1) * size), totalCount: told.length };
      }),
  ],
  [
    "ignores `before`",
    "5.6",
    () => tellingWrongly((list) => (request) => list({ ...request, before: undefined })),
  ],
  [
    "lists blocked transactions in every span, but has an account without any",
    "5.7",
    () =>
      tellingWrongly((list) => async (request) => {
        const [a1, sixthDay] = [parseAccountId("a1"), new Date("2026-01-10T12:00:00Z")];
        if (request.account === "a2")
          return list({ ...request, account: a1, before: request.before ?? sixthDay });
        const content = await list(request);
        if (content.totalCount > 0) return content;
        const { entries } = await list({ ...request, from: new Date(0), before: undefined });
        const blocked = entries.filter(({ status }) => status === "PDNG");
        return { entries: blocked, totalCount: blocked.length };
      }),
  ],
  [
    "lists nothing if a currency is named",
    "5.8",
    () =>
      tellingWrongly(
        (list) => async (request) =>
          request.currency === undefined ? list(request) : { entries: [], totalCount: 0 },
      ),
  ],
  [
    "executes no currency",
    "6.1",
    () => orderingWrongly(() => ({ terms: async () => ({ ...SANDBOX_TERMS, currencies: [] }) })),
  ],
  [
    "has no account for any payer",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: async (wanted) => {
          const { fee, faults } = await bank.inspectOrder(wanted);
          const unknown = { code: "AC02", path: undefined, message: "no such account" } as const;
          return { account: undefined, fee, faults: [...faults, unknown] };
        },
      })),
  ],
  [
    "has an account for every payer",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: async (wanted) => {
          const [account] = await bank.accountsOf(wanted.psu);
          return { account: account?.id, fee: undefined, faults: [] };
        },
      })),
  ],
  [
    "charges in another currency than that of the account",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: async (wanted) => {
          const fee = { minor: 100n, currency: parseCurrencyCode("USD", "currency") };
          return { ...(await bank.inspectOrder(wanted)), fee };
        },
      })),
  ],
  [
    "charges a payment abroad in another currency than the account pays it in",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: async (wanted) => {
          const told = await bank.inspectOrder(wanted);
          return wanted.order.type === "domestic" ? told : { ...told, fee: { minor: 100n, currency: CZK } };
        },
      })),
  ],
  [
    "lets an account pay in a currency that it is not kept in",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: async (wanted) => {
          const { faults, ...told } = await bank.inspectOrder(wanted);
          return { ...told, faults: faults.filter(({ code }) => code !== "AC10") };
        },
      })),
  ],
  [
    "blocks what it inspects",
    "6.2",
    () => {
      const bank = memoryBank();
      const { inspectOrder, balancesOf } = bank;
      let inspected = 0n;
      return {
        ...bank,
        inspectOrder: (wanted) => {
          inspected += wanted.order.amount.minor;
          return inspectOrder(wanted);
        },
        balancesOf: async (request) =>
          (await balancesOf(request)).map((balance) => ({
            ...balance,
            amount: { ...balance.amount, minor: balance.amount.minor - inspected },
          })),
      };
    },
  ],
  [
    "has an account pay that is none of those that may",
    "6.2",
    () =>
      orderingWrongly((bank) => ({
        inspectOrder: (wanted) => bank.inspectOrder({ ...wanted, accounts: undefined }),
      })),
  ],
  ["has funds for everything", "6.3", () => orderingWrongly(() => ({ hasFunds: fundsForEverything }))],
  [
    "answers about another PSU's funds",
    "6.3",
    () =>
      orderingWrongly((bank) => ({
        hasFunds: async (question) => {
          const own = await bank.hasFunds(question);
          return own.known ? own : bank.hasFunds({ ...question, psu: BORIS });
        },
      })),
  ],
  [
    "answers about an account that was not asked about",
    "6.3",
    () =>
      orderingWrongly((bank) => ({
        hasFunds: async (question) =>
          bank.hasFunds({ ...question, accounts: (await bank.accountsOf(question.psu)).map(({ id }) => id) }),
      })),
  ],
  [
    "does so under the name of the account that was asked about",
    "6.3",
    () =>
      orderingWrongly((bank) => ({
        hasFunds: async (question) => {
          const all = (await bank.accountsOf(question.psu)).map(({ id }) => id);
          const told = await bank.hasFunds({ ...question, accounts: all });
          return told.known ? { ...told, account: firstOf(question) } : told;
        },
      })),
  ],
  [
    "divides the amount by 100 when asked for funds",
    "6.3",
    () =>
      orderingWrongly((bank) => ({
        hasFunds: ({ amount, ...question }) =>
          bank.hasFunds({ ...question, amount: { ...amount, minor: amount.minor / 100n } }),
      })),
  ],
  [
    "has less than its CLAV when asked for funds",
    "6.3",
    () =>
      orderingWrongly((bank) => ({
        hasFunds: ({ amount, ...question }) =>
          bank.hasFunds({ ...question, amount: { ...amount, minor: amount.minor + 1n } }),
      })),
  ],
  [
    "blocks the amount that it was asked about",
    "6.3",
    () => {
      let asked = 0n;
      return balancingWrongly(
        () => -asked,
        ({ hasFunds }) => ({
          hasFunds: (question) => {
            asked += 1n;
            return hasFunds(question);
          },
        }),
      );
    },
  ],
  [
    "reports an order as accepted that was never sent",
    "6.4",
    () => orderingWrongly(() => ({ progressOf: async () => ({ state: "accepted" }) })),
  ],
  [
    "executes an order each time it is sent",
    "7.1",
    () =>
      orderingWrongly((bank) => ({
        // Told under the reference of the order.
        acceptOrder: acceptingTwice(bank),
        listTransactions: async (request) => {
          const { entries, totalCount } = await bank.listTransactions(request);
          const shortened = (reference: string | null) => (reference ?? "").slice(0, 20).padEnd(32, "0");
          const told = entries.map((entry) => ({
            ...entry,
            entryReference: shortened(entry.entryReference),
          }));
          return { entries: told, totalCount };
        },
        progressOf: async (paymentId) => ({
          state: "completed",
          entryReference: paymentId.slice(0, 20).padEnd(32, "0"),
        }),
      })),
  ],
  [
    "executes an order each time it is sent, under another reference",
    "7.1",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: acceptingTwice(bank),
      })),
  ],
  [
    "computes the digest of the approved text in another encoding than UTF-8",
    "7.1",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: (order) => {
          const digest = createHash("sha256").update(order.orderText, "latin1").digest();
          if (digest.equals(order.digest)) return bank.acceptOrder(order);
          return Promise.resolve({ outcome: "rejected", reason: "digest_mismatch" });
        },
      })),
  ],
  [
    "reports a completed order as accepted later",
    "7.1",
    () =>
      orderingWrongly((bank) => {
        const told = new Set<string>();
        return {
          progressOf: async (paymentId) => {
            const isAgain = told.has(paymentId);
            told.add(paymentId);
            return isAgain ? { state: "accepted" } : bank.progressOf(paymentId);
          },
        };
      }),
  ],
  [
    "books another amount than was ordered",
    "7.1",
    () =>
      bookingWrongly((entry) => ({
        ...entry,
        amount: { ...entry.amount, minor: entry.amount.minor * 100n },
      })),
  ],
  [
    "lists an outgoing payment as an incoming one",
    "7.1",
    () => bookingWrongly((entry) => ({ ...entry, direction: "CRDT" })),
  ],
  [
    "does not reduce the available balance by a payment",
    "7.1",
    () => {
      const [bank, idle] = [memoryBank(), memoryBank()];
      return { ...bank, balancesOf: idle.balancesOf };
    },
  ],
  [
    "charges more than was ordered, without a transaction for it",
    "7.1",
    () => {
      const bank = memoryBank();
      const { acceptOrder, balancesOf } = bank;
      let orders = 0n;
      return {
        ...bank,
        acceptOrder: (order) => {
          orders += 1n;
          return acceptOrder(order);
        },
        balancesOf: async (request) =>
          (await balancesOf(request)).map((balance) => ({
            ...balance,
            amount: { ...balance.amount, minor: balance.amount.minor - orders },
          })),
      };
    },
  ],
  [
    "lists a payment on every account of its PSU",
    "7.1",
    () =>
      tellingWrongly(
        (list) => (request) =>
          list({ ...request, account: request.psu === ANNA ? parseAccountId("a1") : request.account }),
      ),
  ],
  [
    "credits the payee twice",
    "7.1",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries, totalCount } = await list(request);
        const credited = entries.filter(({ direction }) => direction === "CRDT");
        return { entries: [...credited, ...entries], totalCount: totalCount + credited.length };
      }),
  ],
  [
    "rejects an order sent again after its end",
    "7.1",
    () =>
      orderingWrongly((bank) => {
        const ended = new Set<string>();
        return {
          progressOf: (paymentId) => {
            ended.add(paymentId);
            return bank.progressOf(paymentId);
          },
          acceptOrder: async (order) =>
            ended.has(order.paymentId) ? { outcome: "rejected", reason: "other" } : bank.acceptOrder(order),
        };
      }),
  ],
  [
    "rejects an order sent again until its progress is asked for",
    "7.1",
    () =>
      orderingWrongly((bank) => {
        const [taken, asked] = [new Set<string>(), new Set<string>()];
        return {
          progressOf: (paymentId) => {
            asked.add(paymentId);
            return bank.progressOf(paymentId);
          },
          acceptOrder: async (order) => {
            const isAgain = taken.has(order.paymentId) && !asked.has(order.paymentId);
            taken.add(order.paymentId);
            return isAgain ? { outcome: "rejected", reason: "other" } : bank.acceptOrder(order);
          },
        };
      }),
  ],
  ["lists a payment as a reversal", "7.1", () => bookingWrongly((entry) => ({ ...entry, isReversal: true }))],
  [
    "does not list a payment at its payee",
    "7.1",
    () =>
      tellingWrongly((list) => async (request) => {
        const { entries } = await list(request);
        const told = entries.filter(({ direction }) => direction === "DBIT");
        return { entries: told, totalCount: told.length };
      }),
  ],
  [
    "does not raise the payee's available balance",
    "7.1",
    () => {
      let paid = 0n;
      return balancingWrongly(
        (account) => (account === "b1" ? -paid : 0n),
        ({ acceptOrder }) => ({
          acceptOrder: (order) => {
            paid = order.order.amount.minor;
            return acceptOrder(order);
          },
        }),
      );
    },
  ],
  [
    "charges another account of the PSU too",
    "7.1",
    () => {
      let orders = 0n;
      return balancingWrongly(
        (account) => (account === "a2" ? -orders : 0n),
        ({ acceptOrder }) => ({
          acceptOrder: (order) => {
            orders += 1n;
            return acceptOrder(order);
          },
        }),
      );
    },
  ],
  [
    "executes an order as often as it is sent at once",
    "7.2",
    () => orderingWrongly((bank) => ({ acceptOrder: acceptingTwice(bank) })),
  ],
  [
    "rejects an order the second time",
    "7.2",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) => {
          const { state } = await bank.progressOf(order.paymentId);
          const outcome = await bank.acceptOrder(order);
          return state === "unknown" ? outcome : { outcome: "rejected", reason: "other" };
        },
      })),
  ],
  [
    "accepts another order under a known id",
    "7.3",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) => {
          await bank.acceptOrder(order);
          return { outcome: "accepted" };
        },
      })),
  ],
  [
    "executes another order under a known id, but reports it as rejected",
    "7.3",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) => {
          const outcome = await bank.acceptOrder(order);
          if (outcome.outcome === "rejected") await bank.acceptOrder(underAnotherId(order, 1));
          return outcome;
        },
      })),
  ],
  [
    "compares digests with the last one instead of the first",
    "7.3",
    () =>
      orderingWrongly((bank) => {
        const digests = new Map<string, string>();
        return {
          acceptOrder: async (order) => {
            const digest = order.digest.toString("hex");
            const known = digests.get(order.paymentId);
            digests.set(order.paymentId, digest);
            if (known === undefined) return bank.acceptOrder(order);
            return known === digest
              ? { outcome: "accepted" }
              : { outcome: "rejected", reason: "digest_mismatch" };
          },
        };
      }),
  ],
  [
    "accepts an order beyond any funds",
    "7.4",
    () => orderingWrongly(() => ({ acceptOrder: async () => ({ outcome: "accepted" }) })),
  ],
  [
    "lets a PSU pay from another PSU's account",
    "7.4",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) => {
          const isForeign = order.account === "b1" && order.order.debtorAccount.iban === BORIS_IBAN;
          return isForeign ? { outcome: "accepted" } : bank.acceptOrder(order);
        },
      })),
  ],
  ...(
    [
      ["funds_insufficient", "7.4"],
      ["account_unknown", "7.4"],
      ["digest_mismatch", "7.5"],
    ] as const
  ).map(
    ([reason, clause]) =>
      [`charges for what it rejects as ${reason}`, clause, () => chargingForRejected(reason)] as const,
  ),
  [
    "reports a rejected order as unknown",
    "7.4",
    () =>
      orderingWrongly((bank) => ({
        progressOf: async (paymentId) => {
          const progress = await bank.progressOf(paymentId);
          return progress.state === "rejected" ? { state: "unknown" } : progress;
        },
      })),
  ],
  [
    "gives another reason for insufficient funds",
    "7.4",
    () =>
      orderingWrongly((bank) => {
        const other = <T extends object>(end: T) =>
          "reason" in end && end.reason === "funds_insufficient" ? { ...end, reason: "other" as const } : end;
        return { acceptOrder: async (order) => other(await bank.acceptOrder(order)) };
      }),
  ],
  [
    "accepts the rejected order when it is sent again",
    "7.4",
    () =>
      orderingWrongly((bank) => {
        const taken = new Set<string>();
        return {
          acceptOrder: async (order) => {
            const outcome = await bank.acceptOrder(order);
            const isAgain = taken.has(order.paymentId);
            taken.add(order.paymentId);
            return isAgain ? { outcome: "accepted" } : outcome;
          },
        };
      }),
  ],
  ...(
    [
      ["id", ({ account }) => account === "a1"],
      ["IBAN", ({ order }) => order.debtorAccount.iban !== BORIS_IBAN],
    ] as readonly (readonly [string, (order: OrderToExecute) => boolean])[]
  ).map(
    ([what, isOwn]) =>
      [
        `checks only the ${what} of an account`,
        "7.4",
        () =>
          orderingWrongly((bank) => ({
            acceptOrder: async (order) => {
              const outcome = await bank.acceptOrder(order);
              const isUnknown = outcome.outcome === "rejected" && outcome.reason === "account_unknown";
              return isUnknown && isOwn(order) ? { outcome: "accepted" } : outcome;
            },
          })),
      ] as const,
  ),
  [
    "does not compare an order with what was approved",
    "7.5",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) => {
          const outcome = await bank.acceptOrder(order);
          const isAltered = outcome.outcome === "rejected" && outcome.reason === "digest_mismatch";
          return isAltered ? { outcome: "accepted" } : outcome;
        },
      })),
  ],
  ...APPROVED_PARTS.map(
    ([part, approved]) =>
      [
        `does not compare ${part} of an order with what was approved`,
        "7.5",
        () => orderingWrongly((bank) => ({ acceptOrder: (order) => bank.acceptOrder(approved(order)) })),
      ] as const,
  ),
  [
    "does not check the digest of what was approved",
    "7.5",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: (order) =>
          bank.acceptOrder({ ...order, digest: createHash("sha256").update(order.orderText).digest() }),
      })),
  ],
  [
    "executes the approved order under an id that it has rejected",
    "7.5",
    () =>
      orderingWrongly((bank) => {
        const rejected = new Set<string>();
        return {
          progressOf: async (paymentId) => {
            const progress = await bank.progressOf(paymentId);
            const isRejected = progress.state === "unknown" && rejected.has(paymentId);
            return isRejected ? { state: "rejected", reason: "digest_mismatch" } : progress;
          },
          acceptOrder: async (order) => {
            if (provesApproval(order)) return bank.acceptOrder(order);
            rejected.add(order.paymentId);
            return { outcome: "rejected", reason: "digest_mismatch" };
          },
        };
      }),
  ],
  [
    "rejects an order because its day has passed",
    "7.8",
    () =>
      orderingWrongly((bank) => ({
        acceptOrder: async (order) =>
          order.executionDate < bankDayOf(new Date())
            ? { outcome: "rejected", reason: "other" }
            : bank.acceptOrder(order),
      })),
  ],
  [
    "gives an order a value day in the past",
    "7.8",
    () => bookingWrongly((entry) => ({ ...entry, valueDate: daysBefore(entry.valueDate, 1) })),
  ],
  [
    "books an order on a day in the past",
    "7.8",
    () => bookingWrongly((entry) => ({ ...entry, bookingDate: daysBefore(entry.valueDate, 1) })),
  ],
  [
    "reports every order under the reference of the first",
    "7.8",
    () =>
      orderingWrongly((bank) => {
        let first: string | undefined;
        return {
          progressOf: async (paymentId) => {
            const progress = await bank.progressOf(paymentId);
            if (progress.state !== "completed") return progress;
            first ??= progress.entryReference;
            return { ...progress, entryReference: first };
          },
        };
      }),
  ],
  [
    "executes an order before its day",
    "7.8",
    () =>
      orderingWrongly((bank) => ({
        progressOf: async (paymentId) => {
          const progress = await bank.progressOf(paymentId);
          return progress.state === "accepted" ? { state: "completed", entryReference: undefined } : progress;
        },
      })),
  ],
  [
    "executes an order before its day, but not at once",
    "7.8",
    () =>
      orderingWrongly((bank) => {
        const takenAt = new Map<string, number>();
        return {
          acceptOrder: (order) => {
            takenAt.set(order.paymentId, Date.now());
            return bank.acceptOrder(order);
          },
          progressOf: async (paymentId) => {
            const progress = await bank.progressOf(paymentId);
            const isRun = Date.now() - (takenAt.get(paymentId) ?? 0) > 250;
            return progress.state === "accepted" && isRun
              ? { state: "completed", entryReference: undefined }
              : progress;
          },
        };
      }),
  ],
  [
    "takes two orders with the same name at the TPP for one",
    "7.8",
    () =>
      orderingWrongly((bank) => {
        const called = new Map<string, string>();
        const first = ({ paymentId, order }: OrderToExecute) => {
          const known = called.get(order.instructionIdentification) ?? paymentId;
          called.set(order.instructionIdentification, known);
          return known;
        };
        return {
          acceptOrder: async (order) =>
            first(order) === order.paymentId ? bank.acceptOrder(order) : { outcome: "accepted" },
        };
      }),
  ],
];

describe("the test kit of the contract with a core system", () => {
  it("passes a right core system in every check", async () => {
    const results = await atCoreOf(memoryBank(), resultsOf);
    const missed = results.filter(({ outcome }) => outcome !== "passed");
    expect(missed).to.deep.equal([]);
    expect(results).to.have.length(KIT_CHECKS.length);
  });

  it("passes a core system that books an order only after the next one, and lists it as blocked until then", async () => {
    const looks = new Map<string | null, number>();
    const bank = tellingWrongly((list) => async (request) => {
      const { totalCount, entries } = await list(request);
      const told = entries.map((entry) => {
        if (entry.entryReference?.startsWith("T-")) return entry;
        const look = (looks.get(entry.entryReference) ?? 0) + 1;
        looks.set(entry.entryReference, look);
        return look > 2 ? entry : ({ ...entry, status: "PDNG" } as const);
      });
      return { totalCount, entries: told };
    });
    const checks = checksFor("7.1", "7.2", "7.3");
    const results = await atCoreOf(bank, (url) => resultsOf(url, checks));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system where the next day begins during the check of orders for a later day", async () => {
    const tomorrow = daysBefore(bankDayOf(new Date()), -1);
    const due = new Set<string>();
    const bank = orderingWrongly(({ acceptOrder, progressOf }) => ({
      acceptOrder: async (order) => {
        if (order.executionDate <= tomorrow) due.add(order.paymentId);
        return acceptOrder(order);
      },
      progressOf: async (paymentId) =>
        due.has(paymentId) ? { state: "completed", entryReference: paymentId } : progressOf(paymentId),
    }));
    const results = await atCoreOf(bank, (url) => resultsOf(url, checksFor("7.8")));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system that books orders in the first hour of a day, which is another day in UTC", async () => {
    const bank = bookingWrongly((entry) => ({
      ...entry,
      bookingDate: startOfBankDay(bankDayOf(new Date())).toISOString(),
    }));
    const results = await atCoreOf(bank, (url) => resultsOf(url, checksFor("7.8")));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system whose ids are almost alike", async () => {
    const { accountsOf, balancesOf, listTransactions, ...bank } = memoryBank();
    const [inside, told] = [parseAccountId("a2"), parseAccountId("a10")];
    const named = <T extends { readonly account: AccountId }>(of: T): T => ({
      ...of,
      account: of.account === told ? inside : of.account,
    });
    const results = await atCoreOf(
      {
        ...bank,
        accountsOf: async (psu) => {
          const accounts = await accountsOf(psu === ANNAS ? ANNA : psu);
          return accounts.map((each) => (each.id === inside ? { ...each, id: told } : each));
        },
        balancesOf: (of) => balancesOf(named(of)),
        listTransactions: (of) => listTransactions(named(of)),
      },
      async (url) => {
        const core = await openCoreAt(url);
        const checks = checksFor("2.3", "3.1");
        const scene = { core, psu: ANNA, otherPsu: ANNAS, payee: undefined };
        return runKit(scene, checks).finally(() => core.close());
      },
    );
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system that sorts letters differently from this machine", async () => {
    const named = (entry: StoredTransaction): StoredTransaction => {
      const letter = Number(entry.amount.minor) % 20 < 10 ? "a" : "B";
      return { ...entry, entryReference: entry.entryReference && letter + entry.entryReference };
    };
    const bank = tellingWrongly((list) => async (request) => {
      const { size, page } = request.page;
      const all = await list({ ...request, page: { page: 0, size: 100 } });
      const told = all.entries.map(named);
      const keyOf = ({ entryReference }: StoredTransaction) => (entryReference ?? "").toLowerCase();
      if (request.sort[0]?.field === "entryReference")
        told.sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
      return { ...all, entries: told.slice(page * size, (page + 1) * size) };
    });
    const checks = checksFor("5.5");
    const results = await atCoreOf(bank, (url) => resultsOf(url, checks));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  describe("on a history too long to be sorted (clause 3.4)", () => {
    const NEWEST_OF_OLDER = Date.UTC(2026, 0, 1);
    const refusingAbove = (most: number, millisecondsApart: number): Bank => {
      const older = Array.from(
        { length: 10_000 },
        (_none, place) => new Date(NEWEST_OF_OLDER - place * millisecondsApart),
      );
      const bank = memoryBank(older);
      return {
        ...bank,
        listTransactions: async (request) => {
          const page = await bank.listTransactions(request);
          const byBooking = request.sort.every(({ field }) => field === "bookingDate");
          if ((request.sort.length > 1 || !byBooking) && page.totalCount > most)
            throw new BankRefusal("sort_too_large");
          return page;
        },
      };
    };
    const judge = async (bank: Bank) => {
      const [result] = await atCoreOf(bank, (url) => resultsOf(url, checksFor("5.5")));
      return result;
    };

    it("passes a core system that refuses to sort it, judged by the newest transactions", async () => {
      const result = await judge(refusingAbove(10_000, HOUR_MS));
      expect(result?.seen).to.match(
        /entryReference:desc; bookingDate alone over all 10027, the others over the newest 20\d\d \(3\.4\)$/,
      );
      expect(result?.outcome).to.equal("passed");
    });

    it("fails a core system that refuses to sort a shorter one", async () => {
      const result = await judge(refusingAbove(2_000, HOUR_MS));
      expect(result?.seen).to.match(/^refused with sort_too_large, at GET /);
      expect(result?.outcome).to.equal("failed");
    });

    it("reports 'not shown' if too much of it is of one day", async () => {
      const result = await judge(refusingAbove(10_000, 1));
      expect(result?.seen).to.match(
        /^needs an account with at most 10000 transactions: the one with 10027 has 1\d{4} since /,
      );
      expect(result?.outcome).to.equal("not shown");
    });
  });

  it("fails a core system that accepts any certificate at clause 1.1", async () => {
    const core = await startScriptedCore({ takesAnyCertificate: true });
    core.behave((request, response) =>
      (isNaked(request) ? answering({}, 401) : answering(namedAsAsked(request)))(request, response),
    );
    const checks = checksFor("1.1");
    const [result] = await resultsOf(core.url.href, checks);
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(
      /^a caller who shows own certificate was answered with 200, not refused in the handshake or with one of 400, 401, 403, at GET \/psus\/anna\/accounts, X-Request-ID \S{36}$/,
    );
    await core.die();
  });

  it("passes a core system that turns strangers away with 400 at clause 1.1, as nginx does with ssl_verify_client", async () => {
    const core = await startScriptedCore({ takesAnyCertificate: true });
    const isStranger = ({ socket }: IncomingMessage) => !(socket instanceof TLSSocket && socket.authorized);
    core.behave((request, response) =>
      (isStranger(request) ? answering({}, 400) : answering(namedAsAsked(request)))(request, response),
    );
    const [result] = await resultsOf(core.url.href, checksFor("1.1"));
    expect(result).to.include({ outcome: "passed", seen: "refused with 400; refused with 400" });
    await core.die();
  });

  for (const [what, clause, bank] of WRONG) {
    it(`fails a core system that ${what} at clause ${clause}`, async () => {
      const results = await atCoreOf(bank(), (url) => resultsOf(url, checksFor(clause)));
      expect(clausesOf(results, "failed")).to.include(clause);
    });
  }

  for (const [way, isForeign] of [
    ["id alone", ({ account, iban }) => account === "b1" && iban !== BORIS_IBAN],
    ["IBAN alone", ({ account, iban }) => account !== "b1" && iban === BORIS_IBAN],
  ] as readonly (readonly [string, (payer: Pick<OrderToExecute, "account"> & { iban: string }) => boolean])[])
    it(`says that another PSU's account was recognised by its ${way} at clause 7.4`, async () => {
      const bank = orderingWrongly(({ acceptOrder }) => ({
        acceptOrder: async (ordered) => {
          const { account, order } = ordered;
          const outcome = await acceptOrder(ordered);
          return isForeign({ account, iban: order.debtorAccount.iban })
            ? { outcome: "rejected", reason: "digest_mismatch" }
            : outcome;
        },
      }));
      const results = await atCoreOf(bank, (url) => resultsOf(url, checksFor("7.4")));
      const told = `an order from another PSU's account, by its ${way}, is rejected with digest_mismatch`;
      expect(results.at(-1)?.seen).to.match(
        new RegExp(`^${told}, not rejected with account_unknown, at PUT `),
      );
    });

  type Balances = Awaited<ReturnType<Bank["balancesOf"]>>;
  const refusing = (): Balances => {
    throw new BankRefusal("account_unknown");
  };
  for (const [what, told] of [
    ["fails under fifty questions at once", refusing],
    ["gives other answers to fifty questions at once", (balances: Balances) => balances.slice(0, 1)],
  ] as const)
    it(`fails a core system that ${what} at clause 1.5`, async () => {
      const bank = memoryBank();
      let [asked, underWay] = [0, 0];
      let letGo = () => {};
      const tooMany = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const balancesOf: Bank["balancesOf"] = async (request) => {
        asked += 1;
        underWay += 1;
        const isOneTooMany = underWay > 4;
        if (isOneTooMany) letGo();
        // The first one is asked alone; of the others, none is answered before there are too many.
        if (asked > 1) await tooMany;
        underWay -= 1;
        const balances = await bank.balancesOf(request);
        return isOneTooMany ? told(balances) : balances;
      };
      const checks = checksFor("1.5");
      const results = await atCoreOf({ ...bank, balancesOf }, (url) => resultsOf(url, checks));
      expect(clausesOf(results, "failed")).to.deep.equal(["1.5"]);
    });

  it("passes a core system behind a proxy that changes nothing at clause 1.6", async () => {
    expect(clausesOf(await behindProxy((told) => told), "passed")).to.deep.equal(["1.6"]);
  });

  for (const [what, change] of WRONGLY_NAMING) {
    it(`fails a core system whose answers name ${what} at clause 1.6`, async () => {
      const [result] = await behindProxy(change());
      expect(result).to.include({ clause: "1.6", outcome: "failed" });
      // Of the answers that are wrong at once any may be the first; an inspection says which account may pay, and a question for funds of which may be answered.
      expect(result?.seen).to.match(
        /^answer_malformed: \w+ (is missing|is not (the one that was asked about|one of accountIds)) \(clause (1\.6|6\.[23])\), at (GET \/orders\/\w+|(GET|POST) \/(?!orders)\S+, X-Request-ID [0-9a-f-]{36})$/,
      );
    });
  }

  it("explains a wrong answer once, with its clause and the question, and refers to it afterwards", async () => {
    const bank = tellingWrongly((list) => (request) => {
      const oldestFirst = [{ field: "bookingDate", direction: "asc" }] as const;
      return list({ ...request, sort: oldestFirst });
    });
    const checks = checksFor("5.1", "5.2");
    const results = await atCoreOf(bank, (url) => resultsOf(url, checks));
    const [first] = results;
    expect(first?.seen).to.match(
      /^answer_malformed: transactions\[\d+\] .* \(clause 5\.4\), at GET \/psus\/anna\/\S+\/transactions\?\S+, X-Request-ID \S{36}$/,
    );
    expect(results.at(-1)).to.include({ outcome: "failed", seen: "the same answer as in 5.1" });
  });

  /** Changes each transaction of an answer that has some. */
  const inEach = (change: (entry: Told) => Told) => (told: Told) =>
    Array.isArray(told.transactions) ? { ...told, transactions: told.transactions.map(change) } : told;

  for (const [what, change, wrong] of [
    [
      "omits an unknown member of a transaction instead of null",
      ({ details: _details, ...entry }: Told) => entry,
      "details is missing; it may be null, but not absent",
    ],
    [
      "does not say of a transaction whether it is a reversal",
      (entry: Told) => ({ ...entry, isReversal: null }),
      "isReversal must be true or false",
    ],
  ] as const)
    it(`fails a core system that ${what} at clause 5.1`, async () => {
      const [result] = await behindProxy(inEach(change), "5.1");
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.match(
        new RegExp(
          `^answer_malformed: transactions\\[0\\]\\.${wrong} \\(clause 5\\.1\\), at GET /psus/anna/`,
        ),
      );
    });

  it("says which unknown members of transactions are ignored at clause 5.1", async () => {
    const [result] = await behindProxy(
      inEach((entry) => ({ ...entry, branch: 7 })),
      "5.1",
    );
    expect(result?.outcome).to.equal("passed");
    expect(result?.seen).to.match(/; ignored: transactions\[0\]\.branch, transactions\[1\]\.branch, /);
  });

  it("says which languages of a bank text are ignored at clause 5.1", async () => {
    const details = { additionalTransactionInformation: { cs: "Výběr", en: "Withdrawal", sk: "Výber" } };
    const [result] = await behindProxy(
      inEach((entry) => ({ ...entry, code: "30000301000", details })),
      "5.1",
    );
    const place = "details.additionalTransactionInformation.sk";
    expect(result?.outcome).to.equal("passed");
    expect(result?.seen)
      .to.match(new RegExp(`; ignored: transactions\\[0\\]\\.${place}, `))
      .and.not.include("shown in other characters");
  });

  it("says which texts of transactions are shown in other characters at clause 5.1", async () => {
    const details = {
      references: { endToEndIdentification: "INV_2024", messageIdentification: "M-1" },
      remittanceInformation: { unstructured: "two\nlines" },
      branch: "Praha\n1",
    };
    const [result] = await behindProxy(
      inEach((entry) => ({ ...entry, code: "30000301000", details })),
      "5.1",
    );
    const places = ["references.endToEndIdentification", "remittanceInformation.unstructured"].map(
      (name) => `transactions[0].details.${name}`,
    );
    expect(result?.outcome).to.equal("passed");
    expect(result?.seen).to.include("; ignored: transactions[0].details.branch, ");
    expect(result?.seen).to.include(`; shown in other characters: ${places.join(", ")}, `);
  });

  it("fails a core system that ignores the sign of an amount at clause 6.5", async () => {
    const unsigned = (body: string) => body.replace('"-1.00"', '"1.00"');
    const results = await behindProxy((told) => told, "6.5", unsigned);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["passed", "failed"]);
    expect((await behindProxy((told) => told, "6.5")).map(({ outcome }) => outcome)).to.deep.equal([
      "passed",
      "passed",
    ]);
  });

  it("fails a core system that answers strangers at clause 1.1", async () => {
    const core = await startScriptedCore({ asksForCertificate: false });
    core.behave(answering({ accounts: [] }));
    const [result] = await resultsOf(core.url.href, checksFor("1.1"));
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(
      /^a caller who shows nothing was answered with 200, not refused in the handshake or with one of 400, 401, 403, at GET /,
    );
    await core.die();
  });

  it("fails a core system that answers malformed questions at clause 1.4", async () => {
    const core = await startScriptedCore();
    core.behave(lenient);
    expect(clausesOf(await resultsOf(core.url.href, checksFor("1.4")), "failed")).to.deep.equal(["1.4"]);
    await core.die();
  });

  for (const [what, clause, refuse] of WRONGLY_REFUSING)
    it(`fails a core system that refuses ${what} at clause ${clause}`, async () => {
      const core = await startScriptedCore();
      await atCoreOf(memoryBank(), async (url) => {
        const behind = await openCoreAt(url);
        core.behave(async (request, response) => {
          const path = request.url ?? "";
          const { status, body } = await behind.send(path);
          const told = JSON.parse(body.toString());
          (status === 200 ? answering(told) : refuse(told, { status, path }))(request, response);
        });
        const checks = checksFor(clause);
        const results = await resultsOf(core.url.href, checks).finally(() => behind.close());
        expect(clausesOf(results, "failed")).to.deep.equal([clause]);
      }).finally(() => core.die());
    });

  it("passes no check of a core system that is gone after the first questions, and ends", async () => {
    const core = await startScriptedCore();
    let asked = 0;
    core.behave((request, response) => {
      asked += 1;
      if (asked <= FIRST_QUESTIONS) answering(namedAsAsked(request))(request, response);
      else request.socket.destroy();
    });
    const results = await resultsOf(core.url.href);
    expect(clausesOf(results, "passed")).to.deep.equal([]);
    expect(clausesOf(results, "failed")).to.include("1.1").and.to.have.length.above(15);
    await core.die();
  });

  it("fails a core system that refuses the right certificate too at clause 1.1", async () => {
    const core = await startScriptedCore({ asksForCertificate: false });
    let asked = 0;
    core.behave((request, response) => {
      asked += 1;
      const isFirst = asked <= FIRST_QUESTIONS;
      (isFirst ? answering(namedAsAsked(request)) : answering({}, 403))(request, response);
    });
    const checks = checksFor("1.1");
    const [result] = await resultsOf(core.url.href, checks);
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(
      /^with --certificate, the same question was answered with 403, at GET \/psus\/anna\/accounts, /,
    );
    await core.die();
  });

  it("reports 'not shown' where there is too little to look at", async () => {
    const { accountsOf, ...bank } = memoryBank();
    const poor = { ...bank, accountsOf, listTransactions: async () => ({ entries: [], totalCount: 0 }) };
    const wanting = ["1.5", "5.1", "5.6"];
    const results = await atCoreOf(poor, (url) => resultsOf(url, checksFor(...wanting)));
    expect(clausesOf(results, "not shown")).to.deep.equal(["1.5", "5.1", "5.1", "5.6"]);
  });

  it("has each of its clauses in the README for integrators", () => {
    for (const { clause } of KIT_CHECKS) expect(README, clause).to.include(`\n| ${clause} |`);
  });

  describe("as a command", () => {
    const run = async (...arguments_: readonly string[]) => {
      const [said, complaints]: [string[], string[]] = [[], []];
      const code = await runCommandLine(arguments_, {
        say: (text) => void said.push(text),
        complain: (text) => void complaints.push(text),
      });
      return { code, said: said.join(""), complaints: complaints.join("") };
    };
    const files = async () => {
      const { bank, privateCaFile } = await testCertificates();
      const { certificateFile, keyFile } = bank.resource;
      return ["--authority", privateCaFile, "--certificate", certificateFile, "--key", keyFile];
    };

    it("names an unknown option in full", async () => {
      for (const option of ["--foo", "--ca.pem"])
        expect(await run("https://localhost", option)).to.deep.equal({
          code: 2,
          said: "",
          complaints: `npm run connector-kit: Unknown option '${option}'; see --help\n`,
        });
    });

    it("tells a program why it could not run, in a single JSON object", async () => {
      const told = async (...words: string[]) => {
        const { code, said, complaints } = await run(...words, "--json");
        expect({ code, complaints }).to.deep.equal({ code: 2, complaints: "" });
        return JSON.parse(said);
      };
      const message = "Unknown option '--foo'";
      const usage = { error: "usage", message, hint: "See --help." };
      expect(await told("https://localhost", "--foo")).to.deep.equal(usage);
      const nobody = [...(await files()), "--psu", ANNA];
      expect(await told("https://127.0.0.1:1", ...nobody))
        .to.have.keys("error", "message")
        .and.include({ error: "cannot_run" });
    });

    it("accepts no option twice", async () => {
      expect(await run("https://localhost", "--psu", ANNA, "--payee", "a", "--payee=b")).to.deep.equal({
        code: 2,
        said: "",
        complaints: "npm run connector-kit: --payee may be given only once; see --help\n",
      });
    });

    it("refuses a URL as CORE_URL is refused, of which a part would be lost", async () => {
      for (const url of ["https://localhost/?x=1", "https://localhost/#x", "https://a:b@localhost"])
        expect(await run(url, ...(await files()), "--psu", ANNA), url).to.deep.equal({
          code: 2,
          said: "",
          complaints:
            "npm run connector-kit: the URL of a core system must not have a query, a fragment or credentials; see --help\n",
        });
    });

    it("refuses one PSU as two", async () => {
      const twice = ["--psu", ANNA, "--other-psu", ANNA];
      expect(await run("https://localhost", ...(await files()), ...twice)).to.deep.equal({
        code: 2,
        said: "",
        complaints: "npm run connector-kit: --other-psu is the PSU of --psu; see --help\n",
      });
    });

    it("refuses a timeout outside 100 to 30000 ms", async () => {
      for (const timeout of ["99", "30001", "3000000000", "1e3", ""])
        expect(
          await run("https://localhost", ...(await files()), "--psu", ANNA, "--timeout", timeout),
          timeout,
        ).to.deep.equal({
          code: 2,
          said: "",
          complaints:
            "npm run connector-kit: --timeout must be a number of milliseconds from 100 to 30000; see --help\n",
        });
    });

    it("prints a table for people and exits with 0 if nothing failed", async () => {
      const given = [
        ...(await files()),
        "--psu",
        ANNA,
        "--other-psu",
        BORIS,
        "--payee",
        PAYEE,
        "--timeout",
        "30000",
      ];
      const { code, said } = await atCoreOf(memoryBank(), (url) => run(url, ...given));
      expect(code).to.equal(0);
      expect(said).to.match(/^passed {5}5\.6 {2}A period begins/m);
      expect(said).to.include(`${KIT_CHECKS.length} passed, 0 failed, 0 not shown`);
    });

    it("prints each result as soon as its check is over, and the totals at the end", async () => {
      const bank = memoryBank();
      let asked = 0;
      const accountsOf: Bank["accountsOf"] = (psu) => {
        asked += 1;
        return bank.accountsOf(psu);
      };
      const said: { readonly text: string; readonly asked: number }[] = [];
      const output = { say: (text: string) => void said.push({ text, asked }), complain: () => undefined };
      const given = [...(await files()), "--psu", ANNA, "--timeout", "30000"];
      await atCoreOf({ ...bank, accountsOf }, (url) => runCommandLine([url, ...given], output));
      const sum = said.pop();
      expect(said.map(({ text }) => /^\S.{8} {2}(\S+)[^\n]+\n$/.exec(text)?.[1])).to.deep.equal(
        KIT_CHECKS.map(({ clause }) => clause),
      );
      expect(said[0]?.asked).to.be.below(asked);
      expect(sum?.text).to.match(/^\n\d+ passed, /);
    });

    it("prints JSON for programs and exits with 1 if something failed", async () => {
      const given = [...(await files()), "--psu", ANNA, "--json", "--timeout", "30000"];
      const { code, said } = await atCoreOf(turningRound(), (url) => run(url, ...given));
      expect(code).to.equal(1);
      expect(JSON.parse(said)).to.deep.include.members([
        {
          clause: "2.2",
          title: "They come in the same order each time",
          outcome: "failed",
          seen: "the same question got a different answer",
        },
      ]);
    });

    it("exits with 2 and one sentence if nobody answers, or there is nothing to look at", async () => {
      const { bank, caFile, privateCaFile, server } = await testCertificates();
      const { certificateFile, keyFile } = bank.resource;
      const own = { authority: privateCaFile, certificate: certificateFile, key: keyFile, psu: ANNA };
      const stranger = server.resource;
      const plain = createTcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
      await once(plain.listen(0, "127.0.0.1"), "listening");
      const plainUrl = `https://localhost:${(plain.address() as AddressInfo).port}`;
      const rows: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
        [{ ...own, psu: "nobody" }, /the PSU nobody has no account/],
        [{ ...own, "other-psu": "nobody" }, /the PSU nobody has no account/],
        [{ ...own, url: await nowhere() }, /nothing listens at this address/],
        [{ ...own, url: plainUrl }, /it does not speak TLS at this port/],
        [{ ...own, authority: caFile }, /its certificate was not issued by --authority/],
        [{ ...own, key: stranger.keyFile }, /--key is not the key of --certificate/],
        [{ ...own, key: privateCaFile }, /cannot be read as PEM/],
        [
          { ...own, certificate: stranger.certificateFile, key: stranger.keyFile },
          /no connection to the core system: /,
        ],
        [{ ...own, path: "/elsewhere" }, /first question: it was answered with 404/],
      ];
      await atCoreOf(memoryBank(), async (core) => {
        for (const [{ url = core, path = "", ...options }, complaint] of rows) {
          const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
          const { code, said, complaints } = await run(`${url}${path}`, ...given, "--timeout", "10000");
          expect(code, String(complaint)).to.equal(2);
          expect(complaints)
            .to.match(complaint)
            .and.to.match(/^The kit could not be run: [^\n]*\.\n$/);
          expect(said).to.equal("");
        }
      });
      plain.close();
    });

    it("exits with 2 and says so if the core system's certificate has expired", async () => {
      const made = new Date(Date.now() - 500 * 86_400_000);
      const name = {
        commonName: "core",
        dnsNames: ["localhost"],
        ipAddresses: [],
        purposes: ["serverAuth"],
      } as const;
      const ca = await createTestCa(made);
      const { chainPem, privateKeyPem } = await issuePrivateCertificate(ca, name, made);
      const server = createServer({ cert: chainPem, key: privateKeyPem }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const folder = temporaryFolder();
      const authority = join(folder.path, "authority.pem");
      writeFileSync(authority, ca.private.certificatePem);
      const { port } = server.address() as AddressInfo;
      const given = ["--authority", authority, ...(await files()).slice(2), "--psu", ANNA];
      const { code, complaints } = await run(`https://localhost:${port}`, ...given);
      server.close();
      folder.remove();
      expect(code).to.equal(2);
      expect(complaints).to.include(
        "its certificate, or the authority of it, has expired (CERT_HAS_EXPIRED)",
      );
    });

    it("exits with 2 if its certificate is refused", async () => {
      const core = await startScriptedCore();
      core.behave(answering({}, 403));
      const { code, complaints } = await run(core.url.href, ...(await files()), "--psu", ANNA);
      expect(code).to.equal(2);
      expect(complaints).to.match(
        /the core system refuses the holder of --certificate: it was answered with 403/,
      );
      await core.die();
    });

    it("exits with 2 and names 100 Continue if the answer begins with it (clause 1.1)", async () => {
      const core = await startScriptedCore();
      core.behave((request, response) => {
        response.writeContinue();
        answering(namedAsAsked(request))(request, response);
      });
      const { code, complaints } = await run(core.url.href, ...(await files()), "--psu", ANNA);
      expect(code).to.equal(2);
      expect(complaints).to.match(/: it began its answer with 100 Continue \(clause 1\.1\)/);
      await core.die();
    });

    it("exits with 2 and says how it is used if it cannot run", async () => {
      const given = await files();
      const rows: readonly (readonly [readonly string[], RegExp])[] = [
        [[], /one URL/],
        [["http://localhost", ...given, "--psu", "anna"], /https:/],
        [["https://localhost", ...given], /--psu is missing/],
        [["https://localhost", ...given, "--psu", "a b"], /not the id of a PSU/],
        [["https://localhost", "--psu", "anna"], /--authority is missing/],
        [["https://localhost", "--psu", "anna", "--authority", "/nowhere"], /cannot be read/],
        [["https://localhost", "--nosuch"], /nosuch/],
      ];
      for (const [arguments_, complaint] of rows) {
        const { code, complaints } = await run(...arguments_);
        expect(code, String(complaint)).to.equal(2);
        expect(complaints).to.match(complaint);
        expect(complaints).to.include("npm run connector-kit");
      }
    });
  });
});

/** Where a core system has been. */
async function nowhere(): Promise<string> {
  const core = await startScriptedCore();
  await core.die();
  return core.url.origin;
}

/** Tells its accounts in another order at every second question. */
function turningRound(): Bank {
  const bank = memoryBank();
  let times = 0;
  const accountsOf: Bank["accountsOf"] = async (psu) => {
    times += 1;
    const accounts = await bank.accountsOf(psu);
    return times % 2 === 0 ? accounts.toReversed() : accounts;
  };
  return { ...bank, accountsOf };
}

/** One for each PSU that was named. */
const FIRST_QUESTIONS = 2;

const namedAsAsked = ({ url }: Pick<IncomingMessage, "url">) => ({
  ...SAMPLE_ACCOUNTS,
  psuId: url?.split("/")[2],
});

/** Whether a question came without a certificate. */
function isNaked({ socket }: IncomingMessage): boolean {
  return !(socket instanceof TLSSocket) || Object.keys(socket.getPeerCertificate()).length === 0;
}

const FIVE = Array.from({ length: 5 }, () => SAMPLE_TRANSACTION);

/** Makes something of every question. */
const lenient: Behaviour = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "https://core");
  const size = Number(searchParams.get("size")) || 100;
  const first = size * (Number(searchParams.get("page")) || 0);
  const [, , psuId, , accountId] = pathname.split("/");
  const transactions = {
    psuId,
    accountId,
    totalCount: FIVE.length,
    transactions: FIVE.slice(first, first + size),
  };
  answering(pathname.endsWith("/transactions") ? transactions : { ...SAMPLE_ACCOUNTS, psuId })(
    request,
    response,
  );
};
