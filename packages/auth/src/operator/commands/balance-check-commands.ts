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

const NONE = "Nothing is kept under this account id.";
// A key that was mistyped, and one that is forgotten by now, look the same.
const NONE_OLDER =
  "Nothing older is kept under this account id, if the key after --after is the one that its page before ended with.";

/** `balance-checks <account>`: who has asked whether an amount is there, and what was answered (PSD2 Article 65(5)). */
export function addBalanceChecks(checks: Command, run: RunCommand): void {
  withPages(
    checks.argument("<account>", "the id of an account, not its IBAN, such as `card-consents list` shows"),
  )
    .description("which TPPs asked whether an amount is in an account, and what was answered, newest first")
    .action((account: string, { json = false, ...page }: PageOptions) =>
      run(({ resource }) => {
        const path = `/operator/accounts/${requireAccountId(account)}/balance-checks`;
        const call = requireResource(resource, "balance checks");
        const empty = page.after === undefined ? NONE : NONE_OLDER;
        return listRows(call, { ...BALANCE_CHECKS, path, empty }, { ...page });
      }, json),
    );
}

/** Of a number that the bank knows otherwise, nothing is kept under it: that would be read as that nobody has asked. */
function requireAccountId(text: string): AccountId {
  const hint =
    "`consents show` lists the ids of a consent's accounts, and `card-consents list` has the IBAN beside each; the core system knows all.";
  if (isIban(text))
    throw new CommandRefusal("usage", "this is an IBAN: the id of the account is wanted", { hint });
  const id = ACCOUNT.read(text);
  if (id !== undefined) return id;
  throw new CommandRefusal("usage", `the id of an account must be ${ACCOUNT.must}`, { hint });
}

// An id of letters and digits has the checksum by chance now and then; one of digits alone behind two letters hardly ever.
function isIban(text: string): boolean {
  const iban = findIban(text.replace(/\s/g, "").toUpperCase());
  return iban !== undefined && /^..\d+$/.test(iban);
}
