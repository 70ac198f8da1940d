import type { AccountId, Scope } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { type FormFields, singleField } from "../forms/form-fields.ts";
import { FormRefusal } from "../forms/form-refusal.ts";
import type { ConsentView, FormFault } from "../pages/page-view.ts";

/** What may be chosen from: asked and fetched again just now, never taken from the form. */
export interface Choosable {
  readonly scopes: readonly Scope[];
  readonly accounts: readonly PsuAccount[];
  /** The proof of what the page showed. */
  readonly shown: string;
}

/** What the form chose: accounts that may be shared, or what is wrong with it. */
export type ConsentChoice =
  | { readonly accounts: readonly AccountId[] }
  | (Pick<ConsentView, "choice" | "ticked"> & { readonly faults: readonly [FormFault] });

/**
 * Reads the PSU's choice against what may be chosen, so that a form can never widen a consent (OWASP ASVS 10.7). Refuses with
 * `form_malformed` when a field or an account comes twice; every other fault is told on the page.
 */
export function readConsentChoice(fields: FormFields, choosable: Choosable): ConsentChoice {
  const choice = readChoice(singleField(fields, "choice"));
  const ticked = fields.account ?? [];
  if (new Set(ticked).size < ticked.length) {
    throw new FormRefusal("form_malformed", "an account came more than once");
  }
  const known = choosable.accounts.filter(({ id }) => ticked.includes(id)).map(({ id }) => id);
  const fault = (key: FormFault["key"], field: string): ConsentChoice => ({
    choice,
    ticked: known,
    faults: [{ key, field }],
  });
  if (known.length < ticked.length) return fault("fault_account_unknown", "content");
  if (singleField(fields, "shown") !== choosable.shown) return fault("fault_changed", "content");
  // Payments are approved one by one; a consent to them names no account.
  if (!choosable.scopes.includes("aisp")) return { accounts: [] };
  const everything = choosable.accounts.map(({ id }) => id);
  if (choice === "all") {
    const some = known.length > 0 && known.length < everything.length;
    return some ? fault("fault_choice_ambiguous", "choice") : { accounts: everything };
  }
  if (known.length > 0) return { accounts: known };
  return choice === "some"
    ? fault("fault_account_missing", "account")
    : fault("fault_choice_missing", "choice");
}

function readChoice(value: string): ConsentView["choice"] {
  if (value === "all" || value === "some") return value;
  if (value === "") return undefined;
  throw new FormRefusal("form_malformed", "the choice is neither all nor some");
}
