import {
  parseAccountId,
  parsePsuId,
  presentDecimal,
  readStoredTransaction,
  requireTransaction,
} from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { openOlderDatabase } from "./older-database.ts";

const BEFORE = ["0001_sandbox-bank.sql", "0002_refused-certificates.sql"];

/** Entries as sandboxes before this migration wrote them: code, amount and details. */
const OLD_ENTRIES: readonly (readonly [string, number, object])[] = [
  [
    "10000107000",
    500,
    {
      debtor: { name: "Jan", iban: "CZ6508000000192000145399", bankCode: "0800", bic: "GIBACZPX" },
      creditor: { name: "Anna", iban: "CZ3299000000002000000018", bankCode: "9900" },
      variableSymbol: "2024005",
      specificSymbol: "77",
      message: "Nájem",
      endToEndId: "E2E1",
    },
  ],
  ["10000107000", 20, { debtor: { name: "Anna" }, creditor: { name: "Anna", bic: "TESTCZPP" } }],
  ["30000201000", -300, { place: "KNIHY ARCHA", maskedCard: "xxxxxxxxxxxx1234" }],
  ["40000605000", -1, { message: "Vedení účtu" }],
  ["90000201000", 2, {}],
];

const OLD_CONTENT = `
  INSERT INTO sandbox_ledger (account_id, currency, overdraft_limit, balance, last_seq, last_booked_at)
    VALUES ('a1', 'CZK', 0, 221, 5, '2026-01-05Z'), ('bank', 'CZK', NULL, -221, 1, '2026-01-01Z');
  INSERT INTO sandbox_account (account_id, iban, account_number, bank_code, country_code, bic, currency, name_cs, name_en,
      product_cs, product_en)
    VALUES ('a1', 'CZ3299000000002000000018', '2000000018', '9900', 'CZ', 'TESTCZPP', 'CZK', 'a', 'a', 'b', 'b');
  INSERT INTO sandbox_account_access (psu_id, account_id) VALUES ('anna', 'a1');
  INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency, transaction_code, details)
    VALUES ('bank', 1, 'T-0', '2026-01-01Z', '2026-01-01', -221, 'CZK', '10000107000', '{}');
`;

const OLD_ENTRY = `INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency,
    transaction_code, details)
  VALUES ('a1', $1, 'T-' || $1::bigint, '2026-01-01Z'::timestamptz + $1::bigint * interval '1 day', '2026-01-01', $2, 'CZK', $3, $4)`;

/** A database that an older version filled, brought up to date. */
async function openConvertedDatabase(): Promise<Database> {
  const { database, bringUpToDate } = await openOlderDatabase(BEFORE);
  await database.pool.query(OLD_CONTENT);
  for (const [index, [code, amount, details]] of OLD_ENTRIES.entries()) {
    const values = [index + 1, amount, code, JSON.stringify(details)];
    await database.run({ name: "", text: OLD_ENTRY, values });
  }
  await bringUpToDate();
  return database;
}

describe("the migrated ledger of an older sandbox", () => {
  let database: Database;

  before(async () => {
    database = await openConvertedDatabase();
  });
  after(() => database.close());

  const column = async (name: string, account = "a1") => {
    const text = `SELECT ${name} AS value FROM sandbox_entry WHERE account_id = $1 ORDER BY seq`;
    const rows = await database.run<{ value: unknown }>({ name: "", text, values: [account] });
    return rows.map(({ value }) => value);
  };

  it("has the balance after each of its entries", async () => {
    expect(await column("balance_after")).to.deep.equal([500n, 520n, 220n, 219n, 221n]);
    expect(await column("balance_after", "bank")).to.deep.equal([-221n]);
  });

  it("links each account to its main currency", async () => {
    const text = "SELECT * FROM sandbox_account_ledger";
    expect(await database.run({ name: "", text, values: [] })).to.deep.equal([
      { account_id: "a1", currency: "CZK", ledger_id: "a1", position: 0 },
    ]);
  });

  it("has payment details in the form of COBS 3.1.5.1", async () => {
    const [payment] = await column("details");
    expect(payment).to.deep.equal({
      references: { endToEndIdentification: "E2E1" },
      relatedParties: {
        debtor: { name: "Jan" },
        debtorAccount: { identification: { iban: "CZ6508000000192000145399" } },
        creditor: { name: "Anna" },
        creditorAccount: { identification: { iban: "CZ3299000000002000000018" } },
      },
      relatedAgents: {
        debtorAgent: { financialInstitutionIdentification: { bic: "GIBACZPX" } },
        creditorAgent: { financialInstitutionIdentification: { other: { identification: "9900" } } },
      },
      remittanceInformation: {
        unstructured: "Nájem",
        structured: { creditorReferenceInformation: { reference: ["VS:2024005", "SS:77"] } },
      },
    });
  });

  it("fills in accounts and agents that a payment lacked as NOTPROVIDED (COBS 3.1.5.1: mandatory)", async () => {
    const [, deposit] = await column("details");
    const notProvided = { identification: { other: { identification: "NOTPROVIDED" } } };
    expect(deposit).to.deep.equal({
      relatedParties: {
        debtor: { name: "Anna" },
        debtorAccount: notProvided,
        creditor: { name: "Anna" },
        creditorAccount: notProvided,
      },
      relatedAgents: {
        debtorAgent: {
          financialInstitutionIdentification: { other: { identification: "NOTPROVIDED" } },
        },
        creditorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
      },
    });
  });

  it("leaves out of card, fee and interest entries what was not recorded", async () => {
    const [, , card, fee, interest] = await column("details");
    expect(card).to.deep.equal({
      references: { chequeNumber: "xxxxxxxxxxxx1234" },
      relatedParties: { creditor: { name: "KNIHY ARCHA" } },
    });
    expect(fee).to.deep.equal({ remittanceInformation: { unstructured: "Vedení účtu" } });
    expect(interest).to.equal(null);
    expect(await column("details", "bank")).to.deep.equal([null]);
  });

  it("holds only transactions that the standard allows (COBS 3.1.5.1)", async () => {
    const { entries } = await openSandboxBank(database).listTransactions({
      psu: parsePsuId("anna"),
      account: parseAccountId("a1"),
      currency: undefined,
      sort: [],
      from: new Date(0),
      before: undefined,
      page: { page: 0, size: 100 },
    });
    expect(entries).to.have.length(OLD_ENTRIES.length);
    for (const transaction of entries.map(readStoredTransaction)) {
      const { amount } = transaction;
      const json = {
        ...transaction,
        amount: { value: presentDecimal(amount), currency: amount.currency },
      };
      expect(requireTransaction(json)).to.deep.equal(transaction);
    }
  });
});
