/**
 * What this server asks the bank about a PSU. This folder owns the calls to resource's bank listener; of the answers,
 * only account ids are stored.
 */
import {
  type AccountId,
  ContentRefusal,
  type Localized,
  type PsuId,
  parseAccountId,
  parseCurrencyCode,
  parseIban,
} from "@cobs/cobs-model";
import {
  headersOnBehalf,
  isJsonObject,
  type Log,
  type OnBehalf,
  type PrivateClient,
  PrivateServiceUnavailable,
  parseStrictJson,
} from "@cobs/service-edge";
import type { PsuAccount, PsuAccounts } from "./psu-accounts.ts";

const SERVICE = "resource";

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (!isJsonObject(value)) throw new Error("not an object");
  return new Map(Object.entries(value));
}

function requireText(value: unknown): string {
  if (typeof value !== "string") throw new Error("not a string");
  return value;
}

/** Reads a nullable member; a missing one is a fault, because resource sends every member. */
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
  const accounts = membersOf(parseStrictJson(body)).get("accounts");
  if (!Array.isArray(accounts)) throw new Error("accounts is not a list");
  const read = accounts.map(readAccount);
  if (new Set<AccountId>(read.map(({ id }) => id)).size !== read.length)
    throw new Error("two accounts have the same id");
  return read;
}

/** The reason for the log: names the member, not its value. */
function reasonOf({ cause, reason }: PrivateServiceUnavailable): string {
  return cause instanceof ContentRefusal ? cause.faults.map(({ message }) => message).join("; ") : reason;
}

/** Makes the client that asks resource for accounts. An answer not exactly as agreed counts as none; the log says why. */
export function createPsuAccounts(client: Pick<PrivateClient, "get">, log: Log): PsuAccounts {
  async function ask(
    psu: PsuId,
    onBehalf: OnBehalf,
    givenUp: AbortSignal | undefined,
  ): Promise<readonly PsuAccount[]> {
    const path = `/bank/psus/${encodeURIComponent(psu)}/accounts`;
    const { status, body } = await client.get(path, headersOnBehalf(onBehalf), givenUp);
    try {
      if (status !== 200) throw new Error(`status ${status}`);
      return readAccounts(body);
    } catch (cause) {
      throw new PrivateServiceUnavailable(SERVICE, { cause });
    }
  }
  return {
    accountsOf: async (psu, onBehalf, givenUp) => {
      try {
        return await ask(psu, onBehalf, givenUp);
      } catch (error) {
        if (error instanceof PrivateServiceUnavailable) {
          const { requestId } = onBehalf;
          log.warn(
            { requestId, reason: reasonOf(error) },
            "the accounts of a PSU could not be read from resource",
          );
        }
        throw error;
      }
    },
  };
}
