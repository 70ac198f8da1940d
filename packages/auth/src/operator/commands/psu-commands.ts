import type { Command } from "commander";
import { END_LIMIT_MILLISECONDS } from "../operator-client.ts";
import { JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { showOne } from "./list-rows.ts";
import { fieldsOf } from "./present-table.ts";

const PSUS = "/operator/psus";
const pathOf = (psu: string) => `${PSUS}/${idSegment(psu)}`;

/** Adds `psu …`: one PSU, and their block. */
export function addPsus(psus: Command, run: RunCommand): void {
  psus
    .command("show")
    .argument("<psu>", "the id of a PSU")
    .description("show what auth knows of a PSU; this is recorded in the audit log")
    .option(...JSON_OPTION)
    .action((psu: string, { json = false }: Json) => run(({ auth }) => showOne(auth, PSUS, psu), json));
  psus
    .command("block")
    .argument("<psu>", "the id of a PSU")
    .description("end everything that a PSU has allowed, and refuse every sign-in")
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action((psu: string, { json = false, reason }: Json & { readonly reason: string }) =>
      run(async ({ auth }) => {
        const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
        const answer = await auth({
          method: "POST",
          path: `${pathOf(psu)}/block`,
          body: { reason },
          timeoutMilliseconds,
        });
        return fieldsOf(answer);
      }, json),
    );
  psus
    .command("release")
    .argument("<psu>", "the id of a PSU")
    .description("let a PSU sign in again; what has ended stays ended")
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action((psu: string, { json = false, reason }: Json & { readonly reason: string }) =>
      run(async ({ auth }) => {
        return fieldsOf(await auth({ method: "POST", path: `${pathOf(psu)}/release`, body: { reason } }));
      }, json),
    );
}
