import type { Command } from "commander";
import { jsonOption } from "../processes/json-option.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import type { Json, RunCommand } from "./command-line.ts";
import { check } from "./commands/check.ts";
import { pay } from "./commands/pay.ts";
import { payment } from "./commands/payment.ts";
import { sign } from "./commands/sign.ts";
import { timeoutOption } from "./timeout-option.ts";

const CURRENCY = "CZK";

/** The commands of payments, with their options and help. */
export function addPaymentCommands(program: Command, run: RunCommand): void {
  add(program.command("pay"), "enter a payment; it sends what is given, and derives nothing", pay)
    .requiredOption("--from <iban>", "account of the payer")
    .requiredOption("--to <account>", "IBAN of the payee, or another number")
    .requiredOption("--amount <number>", "such as 1500.50")
    .option("--currency <code>", "of the amount", CURRENCY)
    .option("--message <text>", "for the payee")
    .option("--vs <digits>", "variable symbol")
    .option("--ks <digits>", "constant symbol")
    .option("--ss <digits>", "specific symbol")
    .option("--priority <code>", "NORM, HIGH or INST; without it the bank's")
    .option("--date <day>", "when to execute it, such as 2026-01-31; without it as soon as the bank can")
    .option("--name <text>", "of the payee; SEPA and foreign payments need it")
    .option("--address <lines...>", "of the payee, two lines at most")
    .option("--country <code>", "of the payee; payments to outside of the EEA need it")
    .option("--bic <bic>", "of the payee's bank; foreign payments need it")
    .option("--bearer <code>", "who bears the charges: DEBT, CRED, SHAR or SLEV")
    .option("--id <reference>", "the TPP's own, which it uses once; without it a new one")
    .option("--end-to-end <reference>", "for the payee, who gets it unchanged", "NOTPROVIDED");
  addForPayment("payment", "read a payment and how far it is", payment);
  addForPayment("sign", "send the PSU to the bank to approve a payment", sign)
    .option("--psu <username>", "sign in and approve as this PSU, without a browser")
    .addOption(timeoutOption());
  add(program.command("check"), "ask whether there is enough money on an account of the PSU", check)
    .requiredOption("--iban <iban>", "the account")
    .requiredOption("--amount <number>", "such as 1500.50")
    .option("--currency <code>", "of the amount", CURRENCY);

  function add<O>(command: Command, description: string, act: Act<O>): Command {
    return withOwnOptions(command, description).action((options: O & Json) =>
      run(act, options, options.json ?? false),
    );
  }

  /** A command whose first word is a payment. */
  function addForPayment<O>(
    usage: string,
    description: string,
    act: Act<O & { readonly payment: string }>,
  ): Command {
    const command = program.command(usage).argument("<paymentId>", "id of a payment, as `pay` tells it");
    return withOwnOptions(command, description).action((id: string, options: O & Json) =>
      run(act, { ...options, payment: id }, options.json ?? false),
    );
  }
}

type Act<O> = (context: CommandContext, options: O) => Promise<CommandResult>;

function withOwnOptions(command: Command, description: string): Command {
  return command
    .description(description)
    .addOption(jsonOption())
    .option("--application <client_id>", "without it the one used last")
    .option("--certificate <name>", "show another certificate than the token is bound to");
}
