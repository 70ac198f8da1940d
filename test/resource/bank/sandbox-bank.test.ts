import {
  type Account,
  type AccountId,
  type Language,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parsePsuId,
  readAccountListQuery,
} from "@cobs/cobs-model";
import type { Booking, SandboxBankContent } from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { Bank } from "../../../packages/resource/src/bank/bank.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { openMigratedDatabase } from "./migrated-database.ts";

const ANNA = parsePsuId("anna");
const BORIS = parsePsuId("boris");
const CZK = parseCurrencyCode("CZK");
const CLEARING = parseAccountId("clearing-CZK");

function account(id: string, number: string, fields: { currency: string; cs: string; en: string }): Account {
  const parsed = parseCzechAccountNumber(number);
  return {
    id: parseAccountId(id),
    iban: makeCzechIban("9900", parsed),
    number: parsed,
    currency: parseCurrencyCode(fields.currency),
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: fields.cs, en: fields.en },
    products: { cs: "Osobní konto", en: "Personal account" },
  };
}

const A1 = account("a1", "2000145399", { currency: "CZK", cs: "Žluté spoření", en: "Amber savings" });
const A2 = account("a2", "2000000018", { currency: "EUR", cs: "Cestovní", en: "Travel" });
const A3 = account("a3", "19-2000000034", { currency: "CZK", cs: "Běžný", en: "Current" });
const B1 = account("b1", "19-2000145399", { currency: "CZK", cs: "Běžný", en: "Current" });

let moves = 0;
function move(from: AccountId, to: AccountId, amount: bigint): Booking {
  moves += 1;
  return {
    id: `T-${moves}`,
    bookedAt: new Date(Date.UTC(2026, 0, 1, 8, moves)),
    valueDate: "2026-01-01",
    amount,
    currency: CZK,
    debit: { account: from, code: "10000101000" },
    credit: { account: to, code: "10000107000" },
    details: { remittanceInformation: { unstructured: `it's "quoted", 'apostrophed' and žluťoučký` } },
  };
}

const CONTENT: SandboxBankContent = {
  name: "test",
  ledger: [
    { id: CLEARING, currency: CZK, overdraftLimit: null },
    ...[A1, A2, A3, B1].map(({ id, currency }) => ({
      id,
      currency,
      overdraftLimit: id === "a3" ? 500n : 0n,
    })),
  ],
  accounts: [A1, A2, A3, B1],
  access: [
    { psu: ANNA, account: A1.id },
    { psu: ANNA, account: A2.id },
    { psu: ANNA, account: A3.id },
    { psu: BORIS, account: B1.id },
  ],
  bookings: [
    move(CLEARING, A1.id, 9_007_199_254_740_993n),
    move(A1.id, A3.id, 1_000n),
    move(A3.id, B1.id, 1_500n),
  ],
};

const ALL = [A1, A2, A3, B1].map(({ id }) => id);

describe("the sandbox bank in PostgreSQL", () => {
  let database: Database;
  let bank: Bank;

  const list = (query: string, accounts: readonly AccountId[] = ALL, language: Language = "cs") =>
    bank.listAccounts({
      psu: ANNA,
      accounts,
      language,
      query: readAccountListQuery(new URLSearchParams(query)).query,
    });
  const idsOf = async (query: string, language: Language = "cs") =>
    (await list(query, ALL, language)).entries.map(({ id }) => id);
  const scalar = async (text: string) =>
    (await database.run<{ value: unknown }>({ name: "", text, values: [] }))[0]?.value;

  before(async () => {
    database = await openMigratedDatabase();
    bank = openSandboxBank(database);
    expect(await seedSandboxBank(database, CONTENT)).to.equal(true);
  });
  after(() => database.close());

  describe("its accounts of one PSU", () => {
    it("are returned complete, as they were opened", async () => {
      expect(await bank.accountsOf(ANNA)).to.deep.equal([A1, A2, A3]);
      expect(await bank.accountsOf(BORIS)).to.deep.equal([B1]);
    });

    it("are none for an unknown PSU", async () => {
      expect(await bank.accountsOf(parsePsuId("nobody"))).to.deep.equal([]);
    });
  });

  describe("its account list (COBS 3.1.3)", () => {
    it("holds only accounts that the PSU may access, though the request names others too", async () => {
      expect(await list("")).to.deep.equal({ entries: [A1, A2, A3], totalCount: 3 });
    });

    it("holds only accounts that the request names, though the PSU may access others too", async () => {
      const unknown = parseAccountId("nosuch");
      expect(await list("", [A3.id, A3.id, unknown])).to.deep.equal({ entries: [A3], totalCount: 1 });
      expect(await list("", [])).to.deep.equal({ entries: [], totalCount: 0 });
      expect(await list("", [B1.id])).to.deep.equal({ entries: [], totalCount: 0 });
    });

    it("comes page by page, with the total count", async () => {
      expect(await list("size=2")).to.deep.equal({ entries: [A1, A2], totalCount: 3 });
      expect(await list("size=2&page=1")).to.deep.equal({ entries: [A3], totalCount: 3 });
    });

    it("has an empty page past the end, with the total count", async () => {
      expect(await list("size=2&page=2")).to.deep.equal({ entries: [], totalCount: 3 });
      expect(await list("page=999999999999999")).to.deep.equal({ entries: [], totalCount: 3 });
    });

    const orders: readonly (readonly [string, Language, readonly string[]])[] = [
      ["sort=id&order=desc", "cs", ["a3", "a2", "a1"]],
      [
        "sort=iban",
        "cs",
        [A1, A2, A3].sort((one, other) => (one.iban < other.iban ? -1 : 1)).map(({ id }) => id),
      ],
      ["sort=currency", "cs", ["a1", "a3", "a2"]],
      ["sort=currency,id&order=desc,desc", "cs", ["a2", "a3", "a1"]],
      ["sort=nameI18N", "cs", ["a3", "a2", "a1"]],
      ["sort=nameI18N", "en", ["a1", "a3", "a2"]],
      ["sort=currency,nameI18N&order=,desc", "en", ["a3", "a1", "a2"]],
      ["sort=currency,nameI18N,iban,id&order=desc,desc,desc,desc", "cs", ["a2", "a1", "a3"]],
    ];
    for (const [query, language, ids] of orders) {
      it(`is in the order of ${query} in ${language}`, async () => {
        expect(await idsOf(query, language)).to.deep.equal(ids);
      });
    }

    it("orders equal keys by id, so that pages never overlap", async () => {
      const pages = await Promise.all([0, 1, 2].map((page) => idsOf(`sort=currency&size=1&page=${page}`)));
      expect(pages.flat()).to.deep.equal(["a1", "a3", "a2"]);
    });

    it("is right for each of 50 callers at the same moment", async () => {
      const asked = Array.from({ length: 50 }, (_, index) => ({
        psu: index % 2 === 0 ? ANNA : BORIS,
        accounts: index % 5 === 0 ? [] : ALL,
        page: index % 3,
      }));
      const inTurn = [];
      const listOf = ({ psu, accounts, page }: (typeof asked)[number]) =>
        bank.listAccounts({ psu, accounts, language: "cs", query: { page, size: 1, sort: [] } });
      for (const each of asked) inTurn.push(await listOf(each));
      expect(await Promise.all(asked.map(listOf))).to.deep.equal(inTurn);
      const found = new Set(inTurn.flatMap(({ entries }) => entries.map(({ id }) => id)));
      expect([...found].sort()).to.deep.equal(["a1", "a2", "a3", "b1"]);
    });
  });

  describe("its double-entry ledger", () => {
    it("has entries that add up to zero in each currency", async () => {
      expect(await scalar("SELECT count(*)::int AS value FROM sandbox_entry")).to.equal(6);
      const unbalanced = `SELECT count(*)::int AS value FROM (SELECT FROM sandbox_entry GROUP BY booking_id, currency
        HAVING sum(amount) <> 0 OR count(*) <> 2) AS unbalanced`;
      expect(await scalar(unbalanced)).to.equal(0);
    });

    it("has balances and numbers that match its entries, without loss", async () => {
      const text = `SELECT account_id, balance, last_seq, last_booked_at FROM sandbox_ledger
        WHERE currency = 'CZK' ORDER BY account_id`;
      expect(await database.run({ name: "", text, values: [] })).to.deep.equal([
        {
          account_id: "a1",
          balance: 9_007_199_254_739_993n,
          last_seq: 2n,
          last_booked_at: CONTENT.bookings[1]?.bookedAt,
        },
        { account_id: "a3", balance: -500n, last_seq: 2n, last_booked_at: CONTENT.bookings[2]?.bookedAt },
        { account_id: "b1", balance: 1_500n, last_seq: 1n, last_booked_at: CONTENT.bookings[2]?.bookedAt },
        {
          account_id: "clearing-CZK",
          balance: -9_007_199_254_740_993n,
          last_seq: 1n,
          last_booked_at: CONTENT.bookings[0]?.bookedAt,
        },
      ]);
    });

    it("has the details of a booking on customers' accounts alone", async () => {
      const details =
        "SELECT details #>> '{remittanceInformation,unstructured}' AS value FROM sandbox_entry WHERE seq = 1 AND account_id";
      expect(await scalar(`${details} = 'a1'`)).to.equal(`it's "quoted", 'apostrophed' and žluťoučký`);
      expect(await scalar(`${details} = 'clearing-CZK'`)).to.equal(null);
    });
  });

  describe("its seeding", () => {
    const idIn = (name: string, each: string) => parseAccountId(`${name}-${each}`);
    const other = (name: string, bookings: readonly Booking[]): SandboxBankContent => ({
      name,
      ledger: [
        { id: idIn(name, "z"), currency: CZK, overdraftLimit: 0n },
        { id: idIn(name, "euro"), currency: parseCurrencyCode("EUR"), overdraftLimit: 0n },
        { id: idIn(name, "bank"), currency: CZK, overdraftLimit: null },
      ],
      accounts: [],
      access: [],
      bookings,
    });
    const refused = async (content: SandboxBankContent) => {
      const failure = await seedSandboxBank(database, content).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      const ledger = `SELECT count(*)::int AS value FROM sandbox_ledger WHERE account_id = '${content.name}-z'`;
      expect(await scalar(ledger)).to.equal(0);
      expect(
        await scalar(`SELECT count(*)::int AS value FROM sandbox_seed WHERE name = '${content.name}'`),
      ).to.equal(0);
    };

    it("happens once, also when several processes start at the same time", async () => {
      expect(await seedSandboxBank(database, CONTENT)).to.equal(false);
      const content = other("twice", []);
      const seeded = await Promise.all([1, 2, 3].map(() => seedSandboxBank(database, content)));
      expect(seeded.filter(Boolean)).to.deep.equal([true]);
    });

    it("takes any booking that fits", async () => {
      const booking = move(idIn("fitting", "bank"), idIn("fitting", "z"), 1n);
      expect(await seedSandboxBank(database, other("fitting", [booking]))).to.equal(true);
    });

    it("changes nothing when an account would go below its limit", async () => {
      await refused(other("overdrawn", [move(idIn("overdrawn", "z"), idIn("overdrawn", "bank"), 1n)]));
    });

    it("changes nothing when an account is not in the ledger, or not in that currency", async () => {
      await refused(other("unknown", [move(idIn("unknown", "bank"), idIn("unknown", "nosuch"), 1n)]));
      await refused(other("foreign", [move(idIn("foreign", "bank"), idIn("foreign", "euro"), 1n)]));
    });
  });

  describe("its reading of a malformed account row", () => {
    it("fails as the bank's own fault, not the caller's", async () => {
      await database.run({
        name: "",
        text: "UPDATE sandbox_account SET iban = 'X' WHERE account_id = 'b1'",
        values: [],
      });
      const failure = await bank.accountsOf(BORIS).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TypeError);
      expect(String(failure)).not.to.include("IBAN");
    });
  });
});
