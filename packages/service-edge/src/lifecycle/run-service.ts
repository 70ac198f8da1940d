import { ConfigurationRefusal, type Environment } from "../configuration/variable.ts";
import { createLog, type Log } from "../log/log.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";

/** A service as its `main.ts` describes it. */
export interface ServiceProgram<C extends { readonly logLevel: string }> {
  readonly name: string;
  readonly environment: Environment;
  readonly commandLine: readonly string[];
  readonly configure: (environment: Environment) => C;
  /** Opens everything, registering each part with the lifecycle; resolves when the service is ready. */
  readonly start: (config: C, parts: { readonly log: Log; readonly lifecycle: Lifecycle }) => Promise<void>;
}

const EXIT_CONFIGURATION = 78;

function configureOrExit<C extends { readonly logLevel: string }>(program: ServiceProgram<C>): C {
  try {
    return program.configure(program.environment);
  } catch (error) {
    if (!(error instanceof ConfigurationRefusal)) throw error;
    process.stderr.write(`${program.name}: ${error.message}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}

function stopOnSignals(lifecycle: Lifecycle, log: Log): void {
  const stop = (signal: string) => {
    log.info({ signal }, "stopping");
    void lifecycle.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** Runs a service until a signal ends it. `--check` validates the configuration and exits with 0 or 78. */
export async function runService<C extends { readonly logLevel: string }>(
  program: ServiceProgram<C>,
): Promise<void> {
  const unknown = program.commandLine.filter((argument) => argument !== "--check");
  if (unknown.length > 0) {
    process.stderr.write(`${program.name}: there is no option ${unknown.join(" ")}; there is --check\n`);
    process.exit(EXIT_CONFIGURATION);
  }
  const config = configureOrExit(program);
  if (program.commandLine.includes("--check")) {
    process.stdout.write(`${program.name}: the configuration is complete\n`);
    return;
  }
  const log = createLog(program.name, config.logLevel);
  const lifecycle = createLifecycle(log);
  stopOnSignals(lifecycle, log);
  try {
    await program.start(config, { log, lifecycle });
    log.info("ready");
  } catch (error) {
    log.fatal({ error }, "the service could not start");
    process.stderr.write(`${program.name}: ${error instanceof Error ? error.message : "could not start"}\n`);
    await lifecycle.stop();
    process.exit(1);
  }
}
