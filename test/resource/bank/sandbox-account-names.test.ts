import {
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parsePsuId,
  readAccountListQuery,
} from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { listInMemory } from "../../../packages/resource/src/bank/http-connector/list-in-memory.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { openMigratedDatabase } from "./migrated-database.ts";

const PSU = parsePsuId("hana");

/** Table: names that alphabets and code points place differently, and the numbers of their accounts. */
const ACCOUNTS = [
  ["Účet", "2000000106"],
  ["Čas", "2000000114"],
  ["Chata", "2000000122"],
  ["Hora", "2000000130"],
  ["Cesta", "2000000149"],
  ["auto", "2000000157"],
].map(([name = "", digits = ""]) => {
  const number = parseCzechAccountNumber(digits);
  return {
    id: parseAccountId(`a${digits}`),
    iban: makeCzechIban("9900", number),
    number,
    currency: parseCurrencyCode("CZK"),
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: name, en: name },
    products: { cs: "Osobní konto", en: "Personal account" },
  };
});

describe("the sandbox bank's sorting of accounts by name (COBS 1.2.8.2)", () => {
  let database: Database;
  before(async () => {
    database = await openMigratedDatabase();
    await seedSandboxBank(database, {
      name: "names",
      ledger: ACCOUNTS.map(({ id, currency }) => ({ id, currency, overdraftLimit: 0n })),
      accounts: ACCOUNTS,
      access: ACCOUNTS.map(({ id }) => ({ psu: PSU, account: id })),
      bookings: [],
    });
  });
  after(() => database.close());

  for (const [language, names] of [
    ["cs", ["auto", "Cesta", "Čas", "Hora", "Chata", "Účet"]],
    ["en", ["auto", "Čas", "Cesta", "Chata", "Hora", "Účet"]],
  ] as const)
    for (const order of ["asc", "desc"])
      it(`follows the alphabet of ${language}, ${order}, as the connector does`, async () => {
        const { query } = readAccountListQuery(new URLSearchParams({ sort: "nameI18N", order }));
        const request = { accounts: ACCOUNTS.map(({ id }) => id), language, query };
        const { entries } = await openSandboxBank(database).listAccounts({ ...request, psu: PSU });
        expect(entries.map((each) => each.names?.[language])).to.deep.equal(
          order === "asc" ? names : names.toReversed(),
        );
        expect(entries).to.deep.equal(listInMemory(ACCOUNTS, request).entries);
      });
});
