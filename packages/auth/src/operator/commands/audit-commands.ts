import type { Command } from "commander";
import { CommandRefusal } from "../command-refusal.ts";
import { END_LIMIT_MILLISECONDS, type OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, type RunCommand, type Terminal } from "./command-run.ts";
import { listRows, type PageOptions, pathWith, type RowList, withPages } from "./list-rows.ts";
import { type Members, membersOf, parseAnswer } from "./members.ts";
import { fieldsOf, presentFields } from "./present-table.ts";

const ENTRIES: RowList = {
  path: "/operator/audit",
  rows: "entries",
  columns: [
    ["WHEN", "recordedAt"],
    ["WHO", "actor"],
    ["WHAT", "action"],
    ["TO WHAT", "subject"],
    ["REQUEST", "requestId"],
    ["DETAILS", "details"],
  ],
  empty: "No entries found.",
};
const CHECK = `${ENTRIES.path}/check`;
const EXPORT = `${ENTRIES.path}/export`;
const ARCHIVABLE = `${ENTRIES.path}/archivable`;

/** Pages stay small, because a chain of years has millions of entries: an answer that took minutes would time out on the way. */
const CHECKED_AT_ONCE = 10_000;
const EXPORTED_AT_ONCE = 1_000;

interface SearchOptions extends PageOptions {
  readonly actor?: string;
  readonly subject?: string;
  readonly action?: string;
  readonly request?: string;
  readonly from?: string;
  readonly until?: string;
}

interface ExportOptions extends Json {
  readonly after?: string;
  readonly archivable?: boolean;
}

interface KnownChainPoint extends Json {
  readonly sequence?: string;
  readonly hash?: string;
}

/** Adds `audit …`: who did what. */
export function addAudit(audit: Command, run: RunCommand): void {
  withPages(audit.command("search"))
    .description("list entries, newest first; the search itself is recorded too")
    .option("--actor <name>", "who acted: a TPP, an operator, a PSU, or a part of the server")
    .option("--subject <id>", "whom or what it concerned: the id of a consent, an application, a PSU, …")
    .option("--action <action>", "what was done, such as consent.ended")
    .option(
      "--request <id>",
      "requestId in auth's log, not the TPP's X-Request-ID, which is callerRequestId there",
    )
    .option("--from <time>", "from this moment on, such as 2026-08-27T09:00:00Z")
    .option("--until <time>", "before this moment")
    .action(({ json = false, ...asked }: SearchOptions) =>
      run(({ auth }) => listRows(auth, ENTRIES, { ...asked }), json),
    );
  audit
    .command("check")
    .description("check that the chain of entries is intact; exits with 5 when it is not")
    .option(
      "--sequence <number>",
      "number of an entry whose hash you know, such as the last one of an export",
    )
    .option("--hash <hash>", "hash of that entry")
    .option(...JSON_OPTION)
    .action(({ json = false, ...known }: KnownChainPoint) => run(({ auth }) => check(auth, known), json));
  audit
    .command("export")
    .description("print the sealed entries as JSON lines on standard output, with progress on standard error")
    .option("--after <sequence>", "continue after the entry with this number")
    .option(
      "--archivable",
      "only entries that `audit archive` may delete: all before the first that must be kept",
    )
    .option("--json", "print no progress; an error is the last line, as {error, message, hint}")
    .action(({ json = false, archivable = false, after }: ExportOptions) =>
      run(async ({ auth }, { write, tell }) => {
        const part = archivable ? await findArchivable(auth, after) : { after };
        return exportAll(auth, part, { write, tell: json ? () => {} : tell });
      }, json),
    );
  audit
    .command("archive")
    .description("delete entries older than five years, up to the last entry of an export that you keep")
    .requiredOption("--sequence <number>", "number of that last entry, which is deleted too")
    .requiredOption("--hash <hash>", "its hash, from the export")
    .option(...JSON_OPTION)
    .action(({ json = false, ...through }: Json & Required<Omit<KnownChainPoint, "json">>) =>
      run(({ auth }) => archive(auth, through), json),
    );
}

async function archive(
  call: OperatorClient,
  through: Required<Omit<KnownChainPoint, "json">>,
): Promise<CommandResult> {
  const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
  const json = await call({
    method: "POST",
    path: `${ENTRIES.path}/archive`,
    body: through,
    timeoutMilliseconds,
  });
  return fieldsOf(json);
}

/** Checks part by part up to the head; entries sealed meanwhile are checked too. */
async function check(call: OperatorClient, known: Omit<KnownChainPoint, "json">): Promise<CommandResult> {
  let after: string | undefined;
  for (;;) {
    const path = pathWith(CHECK, { ...known, after, limit: String(CHECKED_AT_ONCE) });
    const { next, ...answer } = parseAnswer(await call({ method: "GET", path }));
    if (answer.broken !== null) throw new CommandRefusal("broken", "The chain is broken.", { answer });
    if (typeof next !== "string")
      return { json: JSON.stringify(answer), text: `The chain is intact.\n${presentFields(answer)}` };
    after = next;
  }
}

/** The part to export: the entries after a number, or from the beginning; through another number, or up to the head. */
interface ExportedPart {
  readonly after: string | undefined;
  readonly through?: number;
}

const numberIn = (members: Members, name: string) => Number(members[name]);

/** Finds which of the entries after `from` may be archived. */
async function findArchivable(call: OperatorClient, from: string | undefined): Promise<ExportedPart> {
  const timeoutMilliseconds = END_LIMIT_MILLISECONDS;
  const part = parseAnswer(await call({ method: "GET", path: ARCHIVABLE, timeoutMilliseconds }));
  const [after, through] = [from ?? String(numberIn(part, "after")), numberIn(part, "through")];
  if (!(through > Number(after))) throw new CommandRefusal("refused", "No entry may be archived yet.");
  return { after, through };
}

/**
 * Exports page by page, up to the head at the start: entries that the export itself adds are left to the next one. Everything
 * that exists is written, also behind a gap. A gap is reported at the end, because the export would otherwise be taken for
 * complete.
 */
async function exportAll(call: OperatorClient, part: ExportedPart, terminal: Terminal): Promise<undefined> {
  let { after, through } = part;
  let missing = 0;
  for (;;) {
    const limit =
      through === undefined ? EXPORTED_AT_ONCE : Math.min(EXPORTED_AT_ONCE, through - Number(after));
    const path = pathWith(EXPORT, { after, limit: String(limit) });
    const page = parseAnswer(await call({ method: "GET", path }));
    through ??= placeIn(page, "head");
    const [from, last] = [placeIn(page, "from"), Math.min(placeIn(page, "last"), through)];
    const written = linesThrough(page, through);
    for (const line of written) await terminal.write(line);
    terminal.tell(`${last} of ${through}`);
    missing += last - from - written.length;
    if (last >= through || last <= from) return requireWhole(missing + through - last);
    after = String(last);
  }
}

const placeIn = (page: Members, name: string) => numberIn(membersOf(page[name]), "sequence");

const sequenceOf = (line: string) => numberIn(parseAnswer(line), "sequence");

function linesOf({ lines }: Members): readonly string[] {
  return Array.isArray(lines) ? lines.map(String) : [];
}

/**
 * Lines of a page, without those behind `through`: a page with a gap has as many entries as asked for, and so may reach beyond
 * it.
 */
function linesThrough(page: Members, through: number): readonly string[] {
  const all = linesOf(page);
  return placeIn(page, "last") <= through ? all : all.filter((line) => sequenceOf(line) <= through);
}

function requireWhole(missing: number): undefined {
  if (missing === 0) return undefined;
  const hint = "Run `audit check` to find the first one.";
  throw new CommandRefusal("broken", `The export is incomplete; missing entries: ${missing}.`, {
    hint,
  });
}
