import cluster from "node:cluster";
import { doubtSandboxDefaults } from "../configuration/sandbox-defaults.ts";
import { ConfigurationRefusal, type Environment, type Variable } from "../configuration/variable.ts";
import { DatabaseUnsuitable } from "../database/database-unsuitable.ts";
import { createLog, type Log } from "../log/log.ts";
import { parseCommandLine, SERVICE_USAGE, type ServiceCommand } from "./command-line.ts";
import { leaveLostTerminal } from "./leave-lost-terminal.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { doubtOpenFiles } from "./open-files.ts";
import { runProcesses } from "./processes/run-processes.ts";
import { NUMBER_OPTION } from "./processes/serving-process.ts";
import { connectSupervisor, type Supervisor } from "./processes/supervisor.ts";
import { endInOrder, endOnSignals, openNoDebugger, type StopTerms } from "./stop-on-signals.ts";

/** Configuration that running a service needs. */
export interface ProcessConfiguration extends StopTerms {
  readonly logLevel: string;
  readonly operatorHost: string;
  readonly operatorPort: number;
  /** Maximum number of connections to each TLS listener. */
  readonly maxConnections?: number;
}

/** What a service receives when it is started. */
export interface StartedProcess {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  /** Present if this process is one of several. */
  readonly supervisor: Supervisor | undefined;
}

/** A service as its `main.ts` describes it. */
export interface ServiceProgram<C extends ProcessConfiguration> {
  readonly name: string;
  readonly environment: Environment;
  readonly commandLine: readonly string[];
  /**
   * Its table of variables; those that production must set but leaves unset are reported by `--check` and in the log at the
   * start.
   */
  readonly variables?: readonly Variable[];
  readonly configure: (environment: Environment) => C;
  /** Returns doubts about how stores are reached, each in a sentence; reported like the variables. */
  readonly doubtConnections?: (config: C) => readonly string[];
  /** Returns further doubts about a valid configuration, each in a sentence; only `--check` reports them. */
  readonly doubt?: (config: C) => readonly string[];
  /** Opens everything, registering each part with the lifecycle; resolves when the service is ready. */
  readonly start: (config: C, parts: StartedProcess) => Promise<void>;
}

const EXIT_CONFIGURATION = 78;

/** Returns what `read` returns, or prints why it failed and exits. `tell` learns of it before. */
function orExit<T>(name: string, read: () => T, tell?: (error: Error) => void): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationRefusal) && !(error instanceof RangeError)) throw error;
    tell?.(error);
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}

/** Number of this process; undefined if it is the only process, or the first of several. */
function ownNumber(commandLine: readonly string[]): number | undefined {
  const [option, value] = commandLine[0]?.split("=", 2) ?? [];
  return cluster.isWorker && option === NUMBER_OPTION ? Number(value) : undefined;
}

/**
 * Ends the process on an uncaught error, which is logged as other errors are: Node would print everything that it holds, even
 * a row of the database.
 */
function tellUncaught(log: Log): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ error }, "uncaught error");
    process.exit(1);
  });
}

/**
 * Runs a service until a signal ends it. `--check` validates the configuration and exits with 0 or 78. With `--processes N`, N
 * processes share its ports and this one supervises them. `--help` explains both.
 */
export async function runService<C extends ProcessConfiguration>(program: ServiceProgram<C>): Promise<void> {
  const { name, commandLine } = program;
  openNoDebugger();
  leaveLostTerminal();
  const number = ownNumber(commandLine);
  const command: ServiceCommand =
    number === undefined
      ? orExit(name, () => parseCommandLine(commandLine))
      : { help: false, check: false, processes: 1 };
  if (command.help) return void process.stdout.write(`Usage: ${name} [options]\n\n${SERVICE_USAGE}`);
  const config = orExit(
    name,
    () => program.configure(program.environment),
    number === undefined ? undefined : tellUnfit(name, number),
  );
  const defaults = doubtSandboxDefaults(program.variables ?? [], program.environment);
  const doubts = [...defaults, ...(program.doubtConnections?.(config) ?? [])];
  if (command.check) {
    for (const doubt of [...doubts, ...(program.doubt?.(config) ?? [])])
      process.stderr.write(`${name}: warning: ${doubt}\n`);
    process.stdout.write(`${name}: the configuration is complete\n`);
    return;
  }
  const root = createLog(name, config.logLevel);
  const log = number === undefined ? root : root.child({ process: number });
  tellUncaught(log);
  const ofFiles = doubtOpenFiles(config.maxConnections ?? 0);
  if (number === undefined) for (const doubt of [...doubts, ...ofFiles]) log.warn(doubt);
  if (command.processes === 1) return serve(program, { config, log, number });
  const { operatorHost, operatorPort } = config;
  const plan = { service: name, count: command.processes, log, operatorHost, operatorPort };
  process.exit(await runProcesses(plan).catch((error: unknown) => tellWhyNot(name, log, error)));
}

/**
 * Logs why one of several processes finds its configuration unfit: files have changed since the first one read them. The others
 * serve on, so whoever watches the log sees it there too. The level that is configured is not known.
 */
function tellUnfit(name: string, number: number): (error: Error) => void {
  return (error) =>
    createLog(name, "info").child({ process: number }).fatal({ error }, "the service could not start");
}

/** Reports why a process could not start, in the log and in one line for a person; returns its exit code. */
function tellWhyNot(name: string, log: Log, error: unknown): number {
  log.fatal({ error }, "the service could not start");
  const [why] = (error instanceof Error && error.message.split("\n")) || [];
  process.stderr.write(`${name}: ${why || "could not start"}\n`);
  return error instanceof DatabaseUnsuitable ? EXIT_CONFIGURATION : 1;
}

async function serve<C extends ProcessConfiguration>(
  program: ServiceProgram<C>,
  { config, log, number }: { readonly config: C; readonly log: Log; readonly number: number | undefined },
): Promise<void> {
  const lifecycle = createLifecycle(log);
  const ending = endInOrder(lifecycle, { ...config, log });
  const supervisor = number === undefined ? undefined : connectSupervisor(number, ending);
  if (supervisor === undefined) endOnSignals(ending);
  else lifecycle.onStop("place among several", supervisor.leave);
  try {
    await program.start(config, { log, lifecycle, supervisor });
    ending.ready();
    supervisor?.ready();
    log.info("ready");
  } catch (error) {
    // A process told to end while it starts meets parts already closed: not a fault, and the end is under way.
    if (!lifecycle.running) return lifecycle.stop();
    await ending.giveUp(tellWhyNot(program.name, log, error));
  }
}
