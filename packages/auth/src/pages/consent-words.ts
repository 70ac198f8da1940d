import type { AccountId, Language, Scope } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { accountLine } from "./account-groups.ts";
import type { Texts } from "./texts/texts.ts";

/** How the pages write in one language. */
export interface ConsentWords {
  readonly texts: Texts;
  readonly language: Language;
  readonly write: (time: Date) => string;
  readonly writeDate: (time: Date) => string;
}

/** The accounts as the bank tells them; undefined while it does not. */
export type KnownAccounts = ReadonlyMap<AccountId, PsuAccount> | undefined;

const NAMED_ACCOUNTS = 3;
const SERVICES: readonly Scope[] = ["aisp", "pisp"];

/** Services in the order in which all pages tell them. */
export function inOrder(services: readonly Scope[]): readonly Scope[] {
  return SERVICES.filter((service) => services.includes(service));
}

/** What services allow, each act in a few words: whoever may send orders may also ask about an amount (COBS 3.2.3, R4). */
export function serviceNames(services: readonly Scope[], { phrases }: Texts): readonly string[] {
  return inOrder(services).flatMap((service) =>
    service === "pisp" ? [phrases.consent_pisp, phrases.consent_pisp_checks] : [phrases.consent_aisp],
  );
}

/** An account as the bank tells it; one that it does not know any more has no name. */
export function presentAccount(
  id: AccountId,
  accounts: NonNullable<KnownAccounts>,
  { texts, language }: ConsentWords,
) {
  const account = accounts.get(id);
  return account === undefined
    ? { name: texts.phrases.account_gone, isGone: true as const }
    : { ...accountLine(account, language), isGone: false as const };
}

/** The first few accounts by name, and how many there are besides: all of them where nobody can tell a name. */
export function nameAccounts(ids: readonly AccountId[], accounts: KnownAccounts, words: ConsentWords) {
  if (accounts === undefined) return { named: [], more: ids.length, accountCount: ids.length };
  const named = ids.slice(0, NAMED_ACCOUNTS).map((id) => presentAccount(id, accounts, words).name);
  return { named, more: ids.length - named.length, accountCount: ids.length };
}
