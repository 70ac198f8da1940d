import type { Command } from "commander";
import { JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { listRows, type PageOptions, type RowList, withPages } from "./list-rows.ts";
import { fieldsOf } from "./present-table.ts";

const CARD_CONSENTS: RowList = {
  path: "/operator/card-consents",
  rows: "cardConsents",
  columns: [
    ["CARD CONSENT", "cardConsentId"],
    ["STATE", "state"],
    ["PSU", "psu"],
    ["TPP", "organisationIdentifier"],
    ["ACCOUNT", "accountId"],
    ["IBAN", "iban"],
    ["GIVEN", "givenAt"],
    ["ENDED", "endedAt"],
    ["WHY", "endReason"],
  ],
  empty: "No consents found.",
};

interface GiveOptions extends Json {
  readonly psu: string;
  readonly tpp: string;
  readonly tppName?: string;
  readonly account: string;
  readonly iban: string;
}

interface ListOptions extends PageOptions {
  readonly psu?: string;
  readonly tpp?: string;
  readonly state?: string;
}

interface EndOptions extends Json {
  readonly reason: string;
  readonly onBehalfOf?: string;
}

/**
 * Adds `card-consents …`: which card issuers may ask whether an amount is available. Every read of these consents is recorded.
 */
export function addCardConsents(consents: Command, run: RunCommand): void {
  addGiving(consents, run);
  withPages(consents.command("list"))
    .description("list consents to card issuers, newest first, ended ones too")
    .option("--psu <id>", "of one PSU")
    .option("--tpp <organisation>", "to one TPP")
    .option("--state <state>", "active or ended")
    .action(({ json = false, ...asked }: ListOptions) =>
      run(({ auth }) => listRows(auth, CARD_CONSENTS, { ...asked }), json),
    );
  consents
    .command("end")
    .argument("<id>", "its id, from `card-consents list`")
    .description("end a consent: its card issuer gets no more answers")
    .requiredOption(...REASON_OPTION)
    .option("--on-behalf-of <psu>", "`psu` when the PSU asked the bank to do it")
    .option(...JSON_OPTION)
    .action((id: string, { json = false, ...body }: EndOptions) =>
      run(async ({ auth }) => {
        const path = `${CARD_CONSENTS.path}/${idSegment(id)}/end`;
        return fieldsOf(await auth({ method: "POST", path, body }));
      }, json),
    );
}

function addGiving(consents: Command, run: RunCommand): void {
  consents
    .command("give")
    .description("record a PSU's consent to balance checks of an account by a card issuer")
    .requiredOption("--psu <id>", "the PSU who agreed")
    .requiredOption("--tpp <organisation>", "the card issuer, such as PSDCZ-CNB-12345678")
    .option("--tpp-name <text>", "name of the card issuer, shown to the PSU until its certificate gives one")
    .requiredOption("--account <id>", "the id of the account")
    .requiredOption("--iban <iban>", "IBAN of the account, which the card issuer sends")
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: GiveOptions) =>
      run(async ({ auth }) => {
        return fieldsOf(await auth({ method: "POST", path: CARD_CONSENTS.path, body: bodyOf(order) }));
      }, json),
    );
}

function bodyOf({ iban, ...order }: Omit<GiveOptions, "json">) {
  // On paper an IBAN is printed in groups of four.
  return { ...order, iban: iban.replace(/\s/g, "").toUpperCase() };
}
