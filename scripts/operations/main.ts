/**
 * `npm run operations -- article-32 --prometheus URL --from DATE --to DATE`: prints what the bank publishes about its dedicated
 * interface, day by day in Prague. `--help` lists its options. Exits with 1 and one sentence when Prometheus cannot be asked.
 */
import { readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { PrometheusRefusal } from "./article-32/prometheus.ts";
import { publish } from "./article-32/publish.ts";
import { OPERATIONS_COMMAND, readPublication } from "./command-line.ts";

try {
  process.stdout.write(await publish(await readCommandLine(OPERATIONS_COMMAND, readPublication)));
} catch (error) {
  if (!(error instanceof PrometheusRefusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
