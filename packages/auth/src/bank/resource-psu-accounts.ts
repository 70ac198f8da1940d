/**
 * What this server asks the bank about a PSU. This folder owns the calls to resource's bank listener; nothing that comes
 * from there is kept but account ids.
 */
import {
  type AccountId,
  type Localized,
  parseAccountId,
  parseCurrencyCode,
  parseIban,
} from "@cobs/cobs-model";
import { headersOnBehalf, type PrivateClient, PrivateServiceUnavailable } from "@cobs/service-edge";
import type { PsuAccount, PsuAccounts } from "./psu-accounts.ts";

const SERVICE = "resource";

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
  return new Map(Object.entries(value));
}

function requireText(value: unknown): string {
  if (typeof value !== "string") throw new Error("not a text");
  return value;
}

/** What is absent is not null: resource tells all of it. */
function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}

function readLocalized(value: unknown): Localized {
  const members = membersOf(value);
  return { cs: requireText(members.get("cs")), en: requireText(members.get("en")) };
}

function readAccount(value: unknown): PsuAccount {
  const members = membersOf(value);
  return {
    id: parseAccountId(members.get("id")),
    iban: parseIban(members.get("iban")),
    number: orNull(members.get("number"), requireText),
    bankCode: orNull(members.get("bankCode"), requireText),
    currency: parseCurrencyCode(members.get("currency")),
    names: orNull(members.get("names"), readLocalized),
    products: orNull(members.get("products"), readLocalized),
  };
}

function readAccounts(body: string): readonly PsuAccount[] {
  const accounts = membersOf(JSON.parse(body)).get("accounts");
  if (!Array.isArray(accounts)) throw new Error("no list of accounts");
  const read = accounts.map(readAccount);
  if (new Set<AccountId>(read.map(({ id }) => id)).size !== read.length) throw new Error("an id comes twice");
  return read;
}

/** Asks resource for the accounts; an answer that is not exactly as agreed counts as none. */
export function createPsuAccounts(client: Pick<PrivateClient, "get">): PsuAccounts {
  return {
    async accountsOf(psu, onBehalf) {
      const answer = await client.get(
        `/bank/psus/${encodeURIComponent(psu)}/accounts`,
        headersOnBehalf(onBehalf),
      );
      if (answer.status !== 200) {
        throw new PrivateServiceUnavailable(SERVICE, { cause: new Error(`status ${answer.status}`) });
      }
      try {
        return readAccounts(answer.body);
      } catch (cause) {
        throw new PrivateServiceUnavailable(SERVICE, { cause });
      }
    },
  };
}
