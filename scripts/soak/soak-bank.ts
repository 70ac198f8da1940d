import {
  type Account,
  type CzechAccountNumber,
  findCzechAccountNumber,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import { MIGRATIONS_DIRECTORY, type SandboxBankContent } from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import { migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { readableLog } from "../../test/support/readable-log.ts";
import { PATIENT } from "../../test/support/test-databases.ts";

const CZK = parseCurrencyCode("CZK");

/** Accounts of a PSU of the soak, by the PSU's number. */
export function accountsOf(psu: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `soak-${psu}-${place}`);
}

/** Fills a database with `psus` PSUs, each with `accountsOfEach` empty accounts. */
export async function seedSoakBank(url: string, psus: number, accountsOfEach: number): Promise<void> {
  const { log } = readableLog();
  await migrateDatabase({ url: new Secret(url), directory: MIGRATIONS_DIRECTORY, log });
  const options = { maxConnections: 1, applicationName: "soak seed", log, timeLimits: PATIENT };
  const database = openDatabase({ url: new Secret(url), ...options });
  await seedSandboxBank(database, contentOf(psus, accountsOfEach)).finally(() => database.close());
}

function contentOf(psus: number, accountsOfEach: number): SandboxBankContent {
  const owned = Array.from({ length: psus }, (_, psu) =>
    accountsOf(psu, accountsOfEach).map((id) => ({ psu: parsePsuId(`soak-psu-${psu}`), id })),
  ).flat();
  const numbers = czechNumbers();
  const accounts = owned.map(({ id }) => accountOf(id, numbers.next().value));
  return {
    name: "soak",
    ledger: accounts.map(({ id }) => ({ id, currency: CZK, overdraftLimit: 0n })),
    accounts,
    access: owned.map(({ psu, id }) => ({ psu, account: parseAccountId(id) })),
    bookings: [],
  };
}

function accountOf(id: string, number: CzechAccountNumber): Account {
  return {
    id: parseAccountId(id),
    iban: makeCzechIban("9900", number),
    number,
    currency: CZK,
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: `Účet ${id}`, en: `Account ${id}` },
    products: { cs: "Běžný účet", en: "Current account" },
  };
}

function* czechNumbers(): Generator<CzechAccountNumber, never> {
  for (let base = 3_000_000_000; ; base += 1) {
    const number = findCzechAccountNumber({ prefix: "", base: String(base) });
    if (number !== undefined) yield number;
  }
}
