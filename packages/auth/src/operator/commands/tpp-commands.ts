import type { Command } from "commander";
import { END_LIMIT_MILLISECONDS } from "../operator-client.ts";
import { JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { listRows, type PageOptions, type RowList, showOne, withPages } from "./list-rows.ts";
import { fieldsOf } from "./present-table.ts";

const TPPS: RowList = {
  path: "/operator/tpps",
  rows: "tpps",
  columns: [
    ["TPP", "organisationIdentifier"],
    ["NAME", "organisationName"],
    ["ROLES", "roles"],
    ["APPLICATIONS", "applications"],
    ["BLOCKS", "blocks"],
  ],
  empty: "No TPPs found.",
};

const APPLICATIONS: RowList = {
  path: "/operator/applications",
  rows: "applications",
  columns: [
    ["APPLICATION", "applicationId"],
    ["TPP", "organisationIdentifier"],
    ["NAME", "clientName"],
    ["PROFILE", "securityProfile"],
    ["CONSENTS", "activeConsents"],
    ["SINCE", "createdAt"],
  ],
  empty: "No applications found.",
};

/** Adds `tpps …`: TPPs that have called auth. */
export function addTpps(tpps: Command, run: RunCommand): void {
  withPages(tpps.command("list"))
    .description("list TPPs that have called auth, by identifier")
    .option("--search <text>", "part of the identifier or name")
    .action(({ json = false, ...asked }: PageOptions & { readonly search?: string }) =>
      run(({ auth }) => listRows(auth, TPPS, asked), json),
    );
  tpps
    .command("show")
    .argument("<tpp>", "its organisation identifier, such as PSDCZ-CNB-12345678")
    .description("show its last certificate, its blocks, and what the TPP register says")
    .option(...JSON_OPTION)
    .action((tpp: string, { json = false }: Json) => run(({ auth }) => showOne(auth, TPPS.path, tpp), json));
}

/** Adds `applications …`: applications that TPPs have registered. */
export function addApplications(applications: Command, run: RunCommand): void {
  withPages(applications.command("list"))
    .description("list applications, oldest first")
    .option("--tpp <organisation>", "of one TPP")
    .action(({ json = false, ...asked }: PageOptions & { readonly tpp?: string }) =>
      run(({ auth }) => listRows(auth, APPLICATIONS, asked), json),
    );
  applications
    .command("show")
    .argument("<id>", "its client id")
    .description("show a registration; secrets are never shown")
    .option(...JSON_OPTION)
    .action((id: string, { json = false }: Json) =>
      run(({ auth }) => showOne(auth, APPLICATIONS.path, id), json),
    );
  applications
    .command("end")
    .argument("<id>", "its client id")
    .description("end an application and all its consents; its TPP may register another one")
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action((id: string, { json = false, reason }: Json & { readonly reason: string }) =>
      run(async ({ auth }) => {
        const path = `${APPLICATIONS.path}/${idSegment(id)}/end`;
        const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
        return fieldsOf(await auth({ method: "POST", path, body: { reason }, timeoutMilliseconds }));
      }, json),
    );
}
