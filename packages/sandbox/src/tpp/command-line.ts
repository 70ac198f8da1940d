import { Command, Option, type OutputConfiguration } from "commander";
import { jsonOption } from "../terminal/json-option.ts";
import type { Act } from "./command.ts";
import {
  applicationOption,
  certificateOption,
  otherCertificateOption,
  timeoutOption,
  withListOptions,
  withTokenOptions,
} from "./command-options.ts";
import { accounts } from "./commands/accounts.ts";
import { applications } from "./commands/applications.ts";
import { authorize } from "./commands/authorize.ts";
import { balance } from "./commands/balance.ts";
import { code } from "./commands/code.ts";
import { demo } from "./commands/demo.ts";
import { psu } from "./commands/psu.ts";
import { refresh } from "./commands/refresh.ts";
import { register } from "./commands/register.ts";
import { revoke } from "./commands/revoke.ts";
import { transactions } from "./commands/transactions.ts";
import { addPaymentCommands } from "./payment-command-line.ts";

/** Runs a command with its options; the caller prints the result. */
export type RunCommand = <O>(command: Act<O>, options: O, json: boolean) => Promise<void>;

/** The option that every command has. */
export type Json = { readonly json?: boolean };

/** The commands of `npm run tpp --` with their options and help; help goes to `output`. */
export function createCommandLine(run: RunCommand, output: OutputConfiguration): Command {
  const program = new Command("npm run tpp --");
  program
    .configureOutput(output)
    .description(
      "A TPP for the running sandbox: registers, gets consent, reads accounts, pays. Start it first: npm start",
    )
    .showHelpAfterError("See --help.")
    .exitOverride();

  function add<O>(usage: string, description: string, command: Act<O>): Command {
    return program
      .command(usage)
      .description(description)
      .addOption(jsonOption())
      .action((options: O & Json) => run(command, options, options.json ?? false));
  }

  add("demo", "register, authorize, read accounts, pay, refresh, revoke: all in one go", demo)
    .option("--psu <username>", "who signs in and consents")
    .addOption(certificateOption())
    .addOption(profileOption())
    .addOption(authOption());
  add("register", "register an application", register)
    .addOption(certificateOption())
    .option("--name <text>", "name that the PSU reads", "Example application")
    .option("--scope <scopes...>", "aisp, pisp or both; default: what the certificate allows", joinScopes)
    .option("--redirect-uri <uri>", "where the PSU comes back; default: the callback of this command")
    .addOption(profileOption())
    .addOption(authOption());
  add("applications", "list the applications of the TPP", applications).addOption(certificateOption());
  addForApplication("authorize", "send a PSU to the bank and get tokens", authorize)
    .option("--scope <scopes...>", "aisp, pisp or both; default: all that are registered", joinScopes)
    .option("--psu <username>", "sign in and consent as this PSU, without a browser")
    .option("--accounts <ids>", "with --psu: `all`, or ids separated by commas", "all")
    .addOption(timeoutOption());
  addForApplication("refresh", "get a new access token", refresh).option(
    "--scope <scopes...>",
    "fewer scopes than before",
    joinScopes,
  );
  withListOptions(
    addForApplication("accounts", "list accounts", accounts),
    "id, iban, currency, nameI18N",
  ).addOption(otherCertificateOption());
  addForAccount("balance", "read the balances of an account", balance).option(
    "--currency <code>",
    "of a multi-currency account; default: all",
  );
  const history = "list the transactions of an account, the newest first";
  const listing = addForAccount("transactions", history, transactions)
    .option("--from <date>", "the first day or moment, such as 2026-01-31 or 2026-01-31T08:00:00+01:00")
    .option("--to <date>", "the last day or moment")
    .option("--currency <code>", "of a multi-currency account; default: the main one");
  withListOptions(listing, "bookingDate, valueDate, amount, entryReference");
  addPaymentCommands(program, run);
  addForApplication("revoke", "revoke the refresh token, and end the consent", revoke).option(
    "--access-token-only",
    "revoke the access token alone",
  );
  program
    .command("code")
    .argument("<username>")
    .description("print a one-time code of a PSU, for signing in with a browser")
    .addOption(jsonOption())
    .action((username: string, options: Json) => run(code, { username }, options.json ?? false));
  program
    .command("psu")
    .argument("<username>")
    .argument("<url>", "where the TPP sends the browser: /oauth/authorize, or href.url of a payment")
    .description("consent, or approve a payment, as a PSU whom a TPP of your own has sent to the bank")
    .addOption(jsonOption())
    .option("--accounts <ids>", "of a consent: `all`, or ids separated by commas", "all")
    .action((username: string, url: string, options: Json & { readonly accounts: string }) =>
      run(psu, { username, url, accounts: options.accounts }, options.json ?? false),
    );
  return program;

  /** Adds a command whose first word is an account. */
  function addForAccount<O>(
    usage: string,
    description: string,
    command: Act<O & { readonly account: string }>,
  ): Command {
    const added = program
      .command(usage)
      .argument("<accountId>", "id of an account of the consent, from `accounts`")
      .description(description);
    return withTokenOptions(added).action((account: string, options: O & Json) =>
      run(command, { ...options, account }, options.json ?? false),
    );
  }

  function addForApplication<O>(...args: Parameters<typeof add<O>>): Command {
    return add(...args).addOption(applicationOption());
  }
}

function profileOption(): Option {
  const meaning = "cobs: with a secret; fapi2: without one, and with pushed requests";
  return new Option("--profile <profile>", meaning).choices(["cobs", "fapi2"]).default("cobs");
}

function authOption(): Option {
  const meaning = "with --profile fapi2: how the application authenticates";
  return new Option("--auth <method>", `${meaning} (default: "private_key_jwt")`).choices([
    "private_key_jwt",
    "tls_client_auth",
  ]);
}

/** Joins scopes: `--scope aisp pisp`, `--scope "aisp pisp"` and `--scope aisp,pisp` are the same. */
function joinScopes(scope: string, before: string | undefined): string {
  return before === undefined ? scope : `${before} ${scope}`;
}
