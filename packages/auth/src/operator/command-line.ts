import { Command, type OutputConfiguration } from "commander";
import { addAudit } from "./commands/audit-commands.ts";
import { addBalanceChecks } from "./commands/balance-check-commands.ts";
import { addCardConsents } from "./commands/card-consent-commands.ts";
import type { RunCommand } from "./commands/command-run.ts";
import { addConsents } from "./commands/consent-commands.ts";
import { addKeys } from "./commands/key-commands.ts";
import { addPayment } from "./commands/payment-commands.ts";
import { addPsus } from "./commands/psu-commands.ts";
import { addRedis } from "./commands/redis-commands.ts";
import { addRefusal } from "./commands/refusal-command.ts";
import { addStopList } from "./commands/stop-list-commands.ts";
import { addTokens } from "./commands/token-commands.ts";
import { addApplications, addTpps } from "./commands/tpp-commands.ts";

const EXAMPLES = `
Examples:
  npm run auth -- stop-list block --tpp PSDCZ-CNB-12345678 --reason "fraud case 12"
  npm run auth -- stop-list block --certificate qwac.pem --reason "key lost"
  npm run auth -- stop-list list
  npm run auth -- stop-list release --tpp PSDCZ-CNB-12345678 --reason "fraud case 12 is closed"
  npm run auth -- tpps list --search bank
  npm run auth -- consents list --psu psu-jana --state active
  npm run auth -- consents end cV3mJ8Yx0aKq2LrT5wZbNg --reason "asked at the branch" --on-behalf-of psu
  npm run auth -- card-consents give --psu psu-jana --tpp PSDCZ-CNB-12345678 --account main --iban CZ65…
  npm run auth -- tokens revoke --application Yx0aKq2LrT5wZbNgcV3mJ8 --reason "leaked log"
  npm run auth -- psu block psu-jana --reason "fraud case 12"
  npm run auth -- psu block --reason "fraud case 12" -- -x7Kd02     (an id that begins with a hyphen)
  npm run auth -- audit search --subject psu-jana
  npm run -s auth -- audit export > audit.jsonl
  npm run auth -- keys list
  npm run auth -- keys rotate signing
  npm run auth -- payment 7c1e9f2b5f0c6f0e4d1c4d579a43a755
  npm run auth -- balance-checks 06c7e119be769e09
  npm run auth -- refusal 5f0c6f0e-4d1c-4d57-9a43-9f2b3a7c1e55

Exit codes: 0 done, 2 wrong usage, 3 refused or not found, 4 a service cannot be reached or cannot
answer now, 5 the audit chain is broken or its export incomplete, 78 wrong configuration, 141 its
output was closed, 1 an unexpected error.`;

/** Builds the commands of `npm run auth --`, with their options and help. */
export function createOperatorCommandLine(run: RunCommand, output: OutputConfiguration): Command {
  const program = new Command("npm run auth --")
    .description(
      "For operators of the bank: shows and ends applications, consents and tokens, blocks TPPs and PSUs, rotates keys, and reads the audit log.",
    )
    .addHelpText("after", EXAMPLES)
    .configureOutput(output)
    .showHelpAfterError("See --help.")
    .exitOverride();
  addTpps(program.command("tpps").description("show TPPs that have called auth"), run);
  addApplications(program.command("applications").description("show and end applications of TPPs"), run);
  addConsents(program.command("consents").description("show and end consents of PSUs"), run);
  addCardConsents(
    program.command("card-consents").description("consents of PSUs to balance checks of card issuers"),
    run,
  );
  addTokens(program.command("tokens").description("show and end authorization codes and tokens"), run);
  addPsus(program.command("psu").description("show, block and release a PSU"), run);
  addAudit(program.command("audit").description("the audit log: who did what, in a chain of hashes"), run);
  addRedis(program.command("redis").description("discard everything in Redis"), run);
  addStopList(program.command("stop-list").description("block and release TPPs and certificates"), run);
  addKeys(program.command("keys").description("signing keys and cookie keys of auth"), run);
  addPayment(program.command("payment"), run);
  addBalanceChecks(program.command("balance-checks"), run);
  addRefusal(program.command("refusal"), run);
  return program;
}
