import type { Command } from "commander";
import type { Act } from "./command.ts";
import type { Json, RunCommand } from "./command-line.ts";
import { timeoutOption, withTokenOptions } from "./command-options.ts";
import { check } from "./commands/check.ts";
import { pay } from "./commands/pay.ts";
import { payment } from "./commands/payment.ts";
import { sign } from "./commands/sign.ts";

const CURRENCY = "CZK";

/** Adds the commands of payments with their options and help. */
export function addPaymentCommands(program: Command, run: RunCommand): void {
  add(program.command("pay"), "enter a payment, with exactly what is given", pay)
    .requiredOption("--from <iban>", "account of the payer")
    .requiredOption("--to <account>", "IBAN of the payee, or another number")
    .requiredOption("--amount <number>", "such as 1500.50")
    .option("--currency <code>", "of the amount", CURRENCY)
    .option("--message <text>", "for the payee")
    .option("--vs <digits>", "variable symbol")
    .option("--ks <digits>", "constant symbol")
    .option("--ss <digits>", "specific symbol")
    .option("--priority <code>", "NORM, HIGH or INST; default: the bank's")
    .option("--date <day>", "when to execute it, such as 2026-01-31; default: as soon as possible")
    .option("--name <text>", "name of the payee; needed for SEPA and foreign payments")
    .option("--address <lines...>", "address of the payee, at most two lines")
    .option("--country <code>", "country of the payee; needed outside the EEA")
    .option("--bic <bic>", "BIC of the payee's bank; needed for foreign payments")
    .option("--bearer <code>", "who bears the charges: DEBT, CRED, SHAR or SLEV")
    .option("--id <reference>", "the TPP's reference, which it uses once; default: a new one")
    .option("--end-to-end <reference>", "reference passed on unchanged to the payee", "NOTPROVIDED");
  addForPayment("payment", "show a payment and its status", payment);
  addForPayment("sign", "send the PSU to the bank to approve a payment", sign)
    .option("--psu <username>", "sign in and approve as this PSU, without a browser")
    .addOption(timeoutOption());
  add(program.command("check"), "ask whether an amount is available in an account of the PSU", check)
    .requiredOption("--iban <iban>", "the account")
    .requiredOption("--amount <number>", "such as 1500.50")
    .option("--currency <code>", "of the amount", CURRENCY);

  function add<O>(command: Command, description: string, act: Act<O>): Command {
    return withTokenOptions(command.description(description)).action((options: O & Json) =>
      run(act, options, options.json ?? false),
    );
  }

  /** Adds a command whose first word is a payment. */
  function addForPayment<O>(
    usage: string,
    description: string,
    act: Act<O & { readonly payment: string }>,
  ): Command {
    const command = program.command(usage).argument("<paymentId>", "id of a payment, from `pay`");
    return withTokenOptions(command.description(description)).action((id: string, options: O & Json) =>
      run(act, { ...options, payment: id }, options.json ?? false),
    );
  }
}
