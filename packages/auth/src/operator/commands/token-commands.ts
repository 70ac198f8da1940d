import type { Command } from "commander";
import { END_LIMIT_MILLISECONDS, type OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { listRows, type PageOptions, type RowList, withPages } from "./list-rows.ts";
import { parseAnswer } from "./members.ts";
import { fieldsOf, presentFields } from "./present-table.ts";

const TOKENS: RowList = {
  path: "/operator/tokens",
  rows: "tokens",
  columns: [
    ["HASH", "hashPrefix"],
    ["KIND", "kind"],
    ["CONSENT", "consentId"],
    ["APPLICATION", "applicationId"],
    ["ISSUED", "issuedAt"],
    ["EXPIRES", "expiresAt"],
    ["USED", "usedAt"],
  ],
  empty: "No codes or tokens found.",
};

interface Holder {
  readonly consent?: string;
  readonly application?: string;
}

interface RevokeOptions extends Json, Holder {
  readonly tpp?: string;
  readonly hash?: string;
  readonly reason: string;
}

/** Adds `tokens …`: facts about codes and tokens, never a code or token itself. */
export function addTokens(tokens: Command, run: RunCommand): void {
  withPages(tokens.command("list"))
    .description(
      "list codes and tokens that have not expired; a code with a time under USED is no longer valid",
    )
    .option("--consent <id>", "of one consent")
    .option("--application <id>", "of one application")
    .action(({ json = false, ...asked }: PageOptions & Holder) =>
      run(({ auth }) => listRows(auth, TOKENS, { ...asked }), json),
    );
  tokens
    .command("revoke")
    .description("end codes and access tokens; a refresh token ends with its consent")
    .option("--consent <id>", "of one consent")
    .option("--application <id>", "of one application")
    .option("--tpp <organisation>", "of all applications of a TPP")
    .option(
      "--hash <hash>",
      "one code or token, by its SHA-256 in base64url or the first 12 characters of it; a refresh token ends with its consent",
    )
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: RevokeOptions) => run(({ auth }) => revokeAll(auth, order), json));
}

/** Repeats the order until all are ended, because auth ends a limited number per call. */
async function revokeAll(call: OperatorClient, body: Omit<RevokeOptions, "json">): Promise<CommandResult> {
  const total = { accessTokens: 0, codes: 0 };
  let after: unknown;
  for (;;) {
    const json = await call({
      method: "POST",
      path: `${TOKENS.path}/revoke`,
      body: { ...body, after },
      timeoutMilliseconds: END_LIMIT_MILLISECONDS,
    });
    const answer = parseAnswer(json);
    if (answer.complete === undefined) return fieldsOf(json);
    total.accessTokens += Number(answer.accessTokens);
    total.codes += Number(answer.codes);
    const all = { ...total, complete: true };
    after = answer.next;
    if (answer.complete === true) return { json: JSON.stringify(all), text: presentFields(total) };
  }
}
