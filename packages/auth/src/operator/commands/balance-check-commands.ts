import type { Command } from "commander";
import type { RunCommand } from "./command-run.ts";
import { listRows, type PageOptions, type RowList, withPages } from "./list-rows.ts";
import { requireResource } from "./require-resource.ts";

const BALANCE_CHECKS: Omit<RowList, "path"> = {
  rows: "balanceChecks",
  columns: [
    ["TIME", "checkedAt"],
    ["TPP", "organisationIdentifier"],
    ["AMOUNT", "amount"],
    ["ANSWER", "response"],
    ["RESPONSE", "responseIdentification"],
  ],
  empty: "Nobody has asked about this account.",
};

/** `balance-checks <account>`: who has asked whether an amount is there, and what was answered (PSD2 Article 65(5)). */
export function addBalanceChecks(checks: Command, run: RunCommand): void {
  withPages(checks.argument("<account>", "the id of an account, such as `card-consents list` shows"))
    .description("which TPPs asked whether an amount is in an account, and what was answered, newest first")
    .action((account: string, { json = false, ...page }: PageOptions) =>
      run(({ resource }) => {
        const path = `/operator/accounts/${encodeURIComponent(account)}/balance-checks`;
        const call = requireResource(resource, "balance checks");
        return listRows(call, { ...BALANCE_CHECKS, path }, { ...page });
      }, json),
    );
}
