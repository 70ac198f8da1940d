import { type AccountId, findIban } from "@cobs/cobs-model";
import type { Command } from "commander";
import { ACCOUNT } from "../../operator-api/parameter-kinds.ts";
import { CommandRefusal } from "../command-refusal.ts";
import type { RunCommand } from "./command-run.ts";
import { listRows, type PageOptions, type RowList, withPages } from "./list-rows.ts";
import { requireResource } from "./require-resource.ts";

const BALANCE_CHECKS: Omit<RowList, "path" | "empty"> = {
  rows: "balanceChecks",
  columns: [
    ["TIME", "checkedAt"],
    ["TPP", "organisationIdentifier"],
    ["AMOUNT", "amount"],
    ["ANSWER", "response"],
    ["RESPONSE", "responseIdentification"],
  ],
};

const NONE = "No balance checks are recorded for this account id.";
// A mistyped key and a key that was forgotten meanwhile look the same.
const NONE_OLDER =
  "No older balance checks are recorded for this account id, provided that --after is the key that the previous page ended with.";

/** Adds `balance-checks <account>`: which TPPs asked whether an amount is available, and the answers (PSD2 Article 65(5)). */
export function addBalanceChecks(checks: Command, run: RunCommand): void {
  withPages(
    checks.argument("<account>", "the id of an account, not its IBAN, such as `card-consents list` shows"),
  )
    .description("list which TPPs asked whether an amount is available, and the answers, newest first")
    .action((account: string, { json = false, ...page }: PageOptions) =>
      run(({ resource }) => {
        const path = `/operator/accounts/${requireAccountId(account)}/balance-checks`;
        const call = requireResource(resource, "balance checks");
        const empty = page.after === undefined ? NONE : NONE_OLDER;
        return listRows(call, { ...BALANCE_CHECKS, path, empty }, { ...page });
      }, json),
    );
}

/** Requires an account id. Under an IBAN nothing is kept, and an empty list would be read as: nobody has asked. */
function requireAccountId(text: string): AccountId {
  const hint =
    "`consents show` lists the account ids of a consent, `card-consents list` shows each with its IBAN, and the core system has all of them.";
  if (isIban(text))
    throw new CommandRefusal("usage", "this is an IBAN: give the id of the account", { hint });
  const id = ACCOUNT.read(text);
  if (id !== undefined) return id;
  throw new CommandRefusal("usage", `the id of an account must be ${ACCOUNT.must}`, { hint });
}

// An alphanumeric id has a valid checksum by chance now and then; two letters followed only by digits hardly ever.
function isIban(text: string): boolean {
  const iban = findIban(text.replace(/\s/g, "").toUpperCase());
  return iban !== undefined && /^..\d+$/.test(iban);
}
