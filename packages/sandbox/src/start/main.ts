/**
 * `npm start`: starts the sandbox, prints the page that a newcomer reads first, and stops everything on Ctrl-C. Progress goes
 * to standard error; with `--json`, standard output has one line of JSON once the sandbox is ready.
 */
import { constants } from "node:os";
import { inspect } from "node:util";
import { ConfigurationRefusal, leaveLostTerminal } from "@cobs/service-edge/configuration";
import { PostgresRefusal } from "../postgres/postgres-refusal.ts";
import { isUnwritable } from "../processes/error-codes.ts";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { addVariablesHelp, createCommand, readCommandLine } from "../terminal/read-command-line.ts";
import { chooseStep } from "../tpp/one-time-codes.ts";
import { openUsedSteps, usedStepsFile } from "../tpp/used-steps-file.ts";
import { configureSandbox } from "./config.ts";
import { SANDBOX_VARIABLES } from "./env.ts";
import { presentPage } from "./present-page.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";
import { createStopOrder, type StopOrder } from "./stop-order.ts";

const EXIT_CONFIGURATION = 78;
const READER_GONE = 128 + constants.signals.SIGPIPE;
// npm passes Ctrl-C on to us, but the terminal has already sent it: two signals at once are one request.
const SECOND_SIGNAL_AFTER_MILLISECONDS = 500;

const COMMAND = addVariablesHelp(
  createCommand(
    "npm start",
    "Starts the sandbox, says how to use it, and stops everything on Ctrl-C.",
  ).option("--json", "print one line of JSON on standard output once it is ready, instead of the page"),
  SANDBOX_VARIABLES,
).addHelpText("after", "Exit codes: 0 stopped, 1 it could not start, 2 wrong usage, 78 wrong configuration.");

function say(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(1);
  process.stderr.write(`${seconds.padStart(7)} s  ${line}\n`);
}

function stopOnSignals(stopOrder: StopOrder): void {
  let since: number | undefined;
  const stop = () => {
    if (since !== undefined && performance.now() - since > SECOND_SIGNAL_AFTER_MILLISECONDS)
      stopOrder.hurry();
    if (since === undefined) say("stopping: first the services, then the database (Ctrl-C again to hurry)");
    since ??= performance.now();
    void stopOrder.stop().then(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
}

/**
 * Stops everything in order, silently, if the reader of our output goes away, like a closed terminal. Does the same on any
 * other output error, such as a full disk, and says so in a line.
 */
function stopWithoutReader(stopOrder: StopOrder): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      const isGone = error.code === "EPIPE";
      if (!isGone && stream === process.stdout) say(`the output cannot be written: ${error.message}`);
      void stopOrder.stop().then(() => process.exit(isGone ? READER_GONE : 1));
    });
}

/** Removes PGSSLMODE and the like, so that services do not inherit them and the URL alone says how to reach its database. */
function forgetDriverVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith("PG")) delete process.env[name];
}

async function present(document: SandboxDocument, json: boolean): Promise<void> {
  const milliseconds = Math.round(performance.now());
  if (json) {
    process.stdout.write(`${JSON.stringify({ ready: true, milliseconds, ...document })}\n`);
    return;
  }
  const usedSteps = openUsedSteps(usedStepsFile(document.directory));
  const steps = new Map<string, number>();
  for (const { username } of document.psus) {
    steps.set(username, chooseStep(Date.now(), await usedSteps.last(username)).step);
  }
  const codeStep = (username: string) => steps.get(username) ?? 0;
  const facts = { seconds: milliseconds / 1000, workingDirectory: process.cwd(), codeStep };
  process.stdout.write(`${presentPage(document, facts)}\n`);
}

function isExpected(error: unknown): error is Error {
  const refusals = [ConfigurationRefusal, SandboxRefusal, PostgresRefusal];
  return isUnwritable(error) || refusals.some((refusal) => error instanceof refusal);
}

/** Reports an expected refusal as a message for the person who starts; any other error is a bug, shown with its stack. */
function reportFailure(error: unknown): number {
  const text = isExpected(error) ? error.message : inspect(error);
  process.stderr.write(`\nThe sandbox could not start.\n${text}\n`);
  return error instanceof ConfigurationRefusal ? EXIT_CONFIGURATION : 1;
}

async function main(): Promise<void> {
  const { json = false } = await readCommandLine(COMMAND, (options: { readonly json?: boolean }) => options);
  const { PATH = "/usr/bin:/bin", TMPDIR } = process.env;
  const inherited = { PATH, ...(TMPDIR !== undefined && { TMPDIR }) };
  forgetDriverVariables();
  const stopOrder = createStopOrder();
  leaveLostTerminal();
  stopWithoutReader(stopOrder);
  stopOnSignals(stopOrder);
  try {
    const { startSandbox } = await import("./start-sandbox.ts");
    const sandbox = await startSandbox(configureSandbox(process.env), { inherited, stopOrder, say });
    if (!stopOrder.stopping) await present(sandbox, json);
  } catch (error) {
    // A start that was stopped halfway fails in some way; the stop has already been reported.
    if (stopOrder.stopping) return;
    await stopOrder.stop();
    process.exit(reportFailure(error));
  }
}

await main();
