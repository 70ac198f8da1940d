import type { AccountId, Scope } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { accountLine } from "./account-groups.ts";
import type { PageWords } from "./page-words.ts";
import type { Texts } from "./texts/texts.ts";

/** The accounts that the bank reports; undefined while it does not answer. */
export type KnownAccounts = ReadonlyMap<AccountId, PsuAccount> | undefined;

const NAMED_ACCOUNTS = 3;
const SERVICES: readonly Scope[] = ["aisp", "pisp"];

/** Puts services in the order of all pages. */
export function inOrder(services: readonly Scope[]): readonly Scope[] {
  return SERVICES.filter((service) => services.includes(service));
}

/** What services allow, each act in a few words. A TPP that may send orders may also ask about an amount (COBS 3.2.3, R4). */
export function serviceNames(services: readonly Scope[], { phrases }: Texts): readonly string[] {
  return inOrder(services).flatMap((service) =>
    service === "pisp" ? [phrases.consent_pisp, phrases.consent_pisp_checks] : [phrases.consent_aisp],
  );
}

/** Presents an account as the bank reports it; one that the bank no longer knows has no name. */
export function presentAccount(
  id: AccountId,
  accounts: NonNullable<KnownAccounts>,
  { texts, language }: PageWords,
) {
  const account = accounts.get(id);
  return account === undefined
    ? { name: texts.phrases.account_gone, isGone: true as const }
    : { ...accountLine(account, language), isGone: false as const };
}

/** The names of the first few accounts, and the number of the others; all are only counted when the names are unknown. */
export function nameAccounts(ids: readonly AccountId[], accounts: KnownAccounts, words: PageWords) {
  if (accounts === undefined) return { named: [], more: ids.length, accountCount: ids.length };
  const named = ids.slice(0, NAMED_ACCOUNTS).map((id) => presentAccount(id, accounts, words).name);
  return { named, more: ids.length - named.length, accountCount: ids.length };
}
