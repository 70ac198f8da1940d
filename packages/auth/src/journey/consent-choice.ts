import type { AccountId, Scope } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { type FormFields, singleField } from "../forms/form-fields.ts";
import { FormRefusal } from "../forms/form-refusal.ts";
import { readPageNumber } from "../forms/page-number.ts";
import { readShownFaults } from "../forms/read-shown-faults.ts";
import { readTicks } from "../forms/ticks.ts";
import { type AccountListFilter, WHOLE_LIST } from "../pages/account-list.ts";
import type { ConsentView, FormFault } from "../pages/page-view.ts";

/** What may be chosen: requested and fetched again just now, never taken from the form. */
export interface Choosable {
  readonly scopes: readonly Scope[];
  readonly accounts: readonly PsuAccount[];
  /** Proof of what the page showed. */
  readonly shown: string;
}

/** What the form chose: accounts to share, or the page once more, with its faults or the accounts that were looked for. */
export type ConsentChoice =
  | { readonly accounts: readonly AccountId[] }
  | Pick<ConsentView, "choice" | "ticked" | "list" | "faults">;

const QUERY_LENGTH = 100;

const CHANGED: FormFault = { key: "fault_changed", field: "content" };
const ACCOUNT_UNKNOWN: FormFault = { key: "fault_account_unknown", field: "content" };
const CHOICE_AMBIGUOUS: FormFault = { key: "fault_choice_ambiguous", field: "choice" };
const CHOICE_MISSING: FormFault = { key: "fault_choice_missing", field: "choice" };
const ACCOUNT_MISSING: FormFault = { key: "fault_account_missing", field: "account" };

/**
 * Reads the PSU's choice against what may be chosen, so that a form can never widen a consent (OWASP ASVS 10.7). Refuses with
 * `form_malformed` when a field or an account comes twice or has an impossible value; every other fault is shown on the page.
 */
export function readConsentChoice(fields: FormFields, choosable: Choosable): ConsentChoice {
  const choice = readChoice(singleField(fields, "choice"));
  const posted = fields.account ?? [];
  if (new Set(posted).size < posted.length) {
    throw new FormRefusal("form_malformed", "an account was sent more than once");
  }
  const isSame = singleField(fields, "shown") === choosable.shown;
  const ticks = new Set<string>([...posted, ...(isSame ? readKept(fields, choosable) : [])]);
  const known = choosable.accounts.filter(({ id }) => ticks.has(id)).map(({ id }) => id);
  const again = (faults: readonly FormFault[]) => ({
    choice,
    ticked: known,
    list: readFilter(fields),
    faults,
  });
  // Checked first: a ticked account that was closed since is also missing from the list, but was the PSU's own.
  if (!isSame) return again([CHANGED]);
  if (known.length < ticks.size) return again([ACCOUNT_UNKNOWN]);
  const chosen = choose(choice, known, choosable);
  const go = singleField(fields, "go");
  if (go === "language") return again(readStillWrong(fields, chosen));
  if (go !== "") return again([]);
  return "wrong" in chosen ? again([chosen.wrong]) : chosen;
}

/** What was chosen, or what is wrong with it. */
type Chosen = { readonly accounts: readonly AccountId[] } | { readonly wrong: FormFault };

function choose(
  choice: ConsentView["choice"],
  ticked: readonly AccountId[],
  { scopes, accounts }: Choosable,
): Chosen {
  // The PSU approves payments one by one; a consent to them names no account.
  if (!scopes.includes("aisp")) return { accounts: [] };
  if (choice === "all") {
    const some = ticked.length > 0 && ticked.length < accounts.length;
    return some ? { wrong: CHOICE_AMBIGUOUS } : { accounts: accounts.map(({ id }) => id) };
  }
  if (ticked.length > 0) return { accounts: ticked };
  return { wrong: choice === "some" ? ACCOUNT_MISSING : CHOICE_MISSING };
}

/** What the page said was wrong, without what is right by now. */
function readStillWrong(fields: FormFields, chosen: Chosen): readonly FormFault[] {
  const wrong = "wrong" in chosen ? [chosen.wrong] : [];
  return readShownFaults(fields, [CHANGED, ACCOUNT_UNKNOWN, ...wrong]);
}

function readChoice(value: string): ConsentView["choice"] {
  if (value === "all" || value === "some") return value;
  if (value === "") return undefined;
  throw new FormRefusal("form_malformed", "the choice is neither all nor some");
}

/** What was ticked on other pages of a long list; the positions refer to the accounts that the page was made from. */
function readKept(fields: FormFields, { accounts }: Choosable): readonly AccountId[] {
  const text = singleField(fields, "kept");
  if (text === "") return [];
  const ids = accounts.map(({ id }) => id);
  const kept = readTicks(ids, text);
  if (kept === undefined)
    throw new FormRefusal(
      "form_malformed",
      "the selection kept from other pages does not belong to this account list",
    );
  return kept;
}

/** Which accounts the PSU wants to see next, by the button that was pressed; the same again without a button. */
function readFilter(fields: FormFields): AccountListFilter {
  const query = singleField(fields, "find").trim().slice(0, QUERY_LENGTH);
  const page = readPageNumber(singleField(fields, "page"));
  const present = { query, onlyTicked: singleField(fields, "only") === "ticked", page };
  const isSameQuery = singleField(fields, "found") === query;
  switch (singleField(fields, "go")) {
    case "":
      return isSameQuery ? present : WHOLE_LIST;
    case "language":
      return isSameQuery ? present : { ...WHOLE_LIST, query };
    case "next":
      return isSameQuery ? { ...present, page: page + 1 } : { ...WHOLE_LIST, query };
    case "previous":
      return isSameQuery ? { ...present, page: Math.max(1, page - 1) } : { ...WHOLE_LIST, query };
    case "find":
      return { ...WHOLE_LIST, query };
    case "ticked":
      return { ...WHOLE_LIST, onlyTicked: true };
    case "whole":
      return WHOLE_LIST;
    default:
      throw new FormRefusal("form_malformed", "go names no button of this form");
  }
}
