import type { Command } from "commander";
import { END_LIMIT_MILLISECONDS, type OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { listRows, type PageOptions, type RowList, showOne, withPages } from "./list-rows.ts";
import { fieldsOf } from "./present-table.ts";

const CONSENTS: RowList = {
  path: "/operator/consents",
  rows: "consents",
  columns: [
    ["CONSENT", "consentId"],
    ["STATE", "state"],
    ["PSU", "psu"],
    ["TPP", "organisationIdentifier"],
    ["SERVICES", "services"],
    ["GIVEN", "givenAt"],
    ["LAST USED", "lastUsedAt"],
    ["UNTIL", "validUntil"],
    ["ENDED", "endedAt"],
    ["WHY", "endReason"],
  ],
  empty: "No consents found.",
};

interface ConsentOptions extends PageOptions {
  readonly psu?: string;
  readonly application?: string;
  readonly tpp?: string;
  readonly account?: string;
  readonly state?: string;
}

interface EndOptions extends Json {
  readonly reason: string;
  readonly onBehalfOf?: string;
}

/** Adds `consents …`: what PSUs have agreed to. Every read of a consent is recorded. */
export function addConsents(consents: Command, run: RunCommand): void {
  withPages(consents.command("list"))
    .description("list consents, newest first, ended ones too")
    .option("--psu <id>", "of one PSU")
    .option("--application <id>", "to one application")
    .option("--tpp <organisation>", "to one TPP")
    .option("--account <id>", "that cover one account, by its id")
    .option("--state <state>", "active, expired or revoked")
    .action(({ json = false, ...asked }: ConsentOptions) =>
      run(({ auth }) => listRows(auth, CONSENTS, { ...asked }), json),
    );
  consents
    .command("show")
    .argument("<id>", "its id, from `consents list`")
    .description("show everything about one consent")
    .option(...JSON_OPTION)
    .action((id: string, { json = false }: Json) =>
      run(({ auth }) => showOne(auth, CONSENTS.path, id), json),
    );
  consents
    .command("end")
    .argument("<id>", "its id, from `consents list`")
    .description("end a consent and its codes and tokens")
    .requiredOption(...REASON_OPTION)
    .option("--on-behalf-of <psu>", "`psu` when the PSU asked the bank to do it")
    .option(...JSON_OPTION)
    .action((id: string, { json = false, ...order }: EndOptions) =>
      run(({ auth }) => end(auth, id, order), json),
    );
}

async function end(call: OperatorClient, id: string, body: Omit<EndOptions, "json">): Promise<CommandResult> {
  const answer = await call({
    method: "POST",
    path: `${CONSENTS.path}/${idSegment(id)}/end`,
    body,
    timeoutMilliseconds: END_LIMIT_MILLISECONDS,
  });
  return fieldsOf(answer);
}
