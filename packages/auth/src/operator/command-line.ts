import { Argument, Command, type OutputConfiguration } from "commander";
import { KEY_USES } from "../keys/server-key.ts";
import { addAudit } from "./commands/audit-commands.ts";
import { addCardConsents } from "./commands/card-consent-commands.ts";
import { JSON_OPTION, type Json, type RunCommand } from "./commands/command-run.ts";
import { addConsents } from "./commands/consent-commands.ts";
import { type PageOptions, withPages } from "./commands/list-rows.ts";
import { addPayment } from "./commands/payment-commands.ts";
import { addPsus } from "./commands/psu-commands.ts";
import { addRedis } from "./commands/redis-commands.ts";
import { addTokens } from "./commands/token-commands.ts";
import { addApplications, addTpps } from "./commands/tpp-commands.ts";
import { dropKey, listKeys, rotateKey } from "./key-commands.ts";
import { block, listBlocks, release, type Whom } from "./operator-commands.ts";
import { tellRefusal } from "./tell-refusal.ts";

const ORGANISATION = ["--organisation <identifier>", "a TPP, such as PSDCZ-CNB-12345678"] as const;
const CERTIFICATE = [
  "--certificate <thumbprint-or-file>",
  "one certificate: its x5t#S256, or a PEM or DER file",
] as const;

const EXAMPLES = `
Examples:
  npm run auth -- stop-list block --organisation PSDCZ-CNB-12345678 --reason "fraud case 12"
  npm run auth -- stop-list block --certificate qwac.pem --reason "key lost"
  npm run auth -- stop-list list
  npm run auth -- stop-list release --organisation PSDCZ-CNB-12345678
  npm run auth -- tpps list --search bank
  npm run auth -- consents list --psu psu-jana --state active
  npm run auth -- consents revoke cV3mJ8Yx0aKq2LrT5wZbNg --reason "asked at the branch" --on-behalf-of psu
  npm run auth -- card-consents give --psu psu-jana --organisation PSDCZ-CNB-12345678 --account main --iban CZ65…
  npm run auth -- tokens revoke --application 5f0c6f0e --reason "leaked log"
  npm run auth -- psu block psu-jana --reason "fraud case 12"
  npm run auth -- audit search --subject psu-jana
  npm run auth -- audit export > audit.jsonl
  npm run auth -- keys list
  npm run auth -- keys rotate signing
  npm run auth -- payment 7c1e9f2b5f0c6f0e4d1c4d579a43a755
  npm run auth -- refusal 5f0c6f0e-4d1c-4d57-9a43-9f2b3a7c1e55

Exit codes: 0 done, 2 wrong usage, 3 refused or not found, 4 a service cannot be reached, 78 wrong
configuration, 1 an unexpected error.`;

/** The commands of `npm run auth --`, with their options and help. */
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
  program
    .command("refusal")
    .argument("<request-id>", "X-Request-ID of the refused call at auth or resource, ours or the TPP's own")
    .description("why the certificate of a call was refused, check by check")
    .option(...JSON_OPTION)
    .action((requestId: string, { json = false }: Json) =>
      run((clients) => tellRefusal(clients, requestId, json ? "application/json" : "text/plain"), json),
    );
  return program;
}

function addKeys(keys: Command, run: RunCommand): void {
  keys
    .command("list")
    .description("list keys that are announced, signing or retired; secrets are never shown")
    .option("--history", "include keys that are gone")
    .option(...JSON_OPTION)
    .action(({ history = false, json = false }: Json & { readonly history?: boolean }) =>
      run(({ auth }) => listKeys(auth, history), json),
    );
  keys
    .command("rotate")
    .addArgument(new Argument("[use]", "which key gets a successor").choices(KEY_USES).default("signing"))
    .description("announce a new key, which takes over by itself once everybody has fetched it")
    .option(...JSON_OPTION)
    .action((use: string, { json = false }: Json) => run(({ auth }) => rotateKey(auth, use), json));
  keys
    .command("drop")
    .argument("<kid>", "id of the key, from `keys list`")
    .description("drop a compromised key at once: nothing that it signed is accepted any more")
    .option(...JSON_OPTION)
    .action((kid: string, { json = false }: Json) => run(({ auth }) => dropKey(auth, kid), json));
}

function addStopList(stopList: Command, run: RunCommand): void {
  withPages(stopList.command("list"))
    .description("list the blocks in force, oldest first")
    .option("--history", "include past blocks, newest first")
    .action(({ json = false, ...options }: PageOptions & { readonly history?: boolean }) =>
      run(({ auth }) => listBlocks(auth, options), json),
    );
  stopList
    .command("block")
    .description("block a TPP or a certificate from this moment on")
    .option(...ORGANISATION)
    .option(...CERTIFICATE)
    .requiredOption("--reason <text>", "1 to 500 characters; kept with the block")
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: Json & Whom & { readonly reason: string }) =>
      run(({ auth }) => block(auth, order), json),
    );
  stopList
    .command("release")
    .description("end a block")
    .option(...ORGANISATION)
    .option(...CERTIFICATE)
    .option(...JSON_OPTION)
    .action(({ json = false, ...whom }: Json & Whom) => run(({ auth }) => release(auth, whom), json));
}
