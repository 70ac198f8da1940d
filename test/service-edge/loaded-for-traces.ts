/**
 * A program that loads both services, opens tracing as they do, off and then on, and prints which parts of OpenTelemetry are
 * loaded at each point.
 */
import { register } from "node:module";
import { createLog } from "@cobs/service-edge";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { NO_TRACING } from "../../packages/service-edge/src/tracing/tracing.ts";
import type { TracingSettings } from "../../packages/service-edge/src/tracing/tracing-settings.ts";

const TELL = `import { writeSync } from "node:fs";
export function resolve(specifier, context, next) {
  if (specifier.startsWith("@opentelemetry/")) writeSync(1, specifier + "\\n");
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(TELL)}`);

await import("../../packages/auth/src/service.ts");
await import("../../packages/resource/src/service.ts");
const { openTracing } = await import("../../packages/service-edge/src/tracing/open-tracing.ts");
const log = createLog("test", "error");
const lifecycle = createLifecycle(log);
const settings: TracingSettings = {
  endpoint: new URL("http://127.0.0.1:1/"),
  headers: undefined,
  serviceName: undefined,
  sampler: "always_off",
  ratio: 1,
};
for (const asked of [undefined, settings]) {
  const tracing = await openTracing(asked, { log, lifecycle }, "test");
  process.stdout.write(`tracing ${tracing === NO_TRACING ? "off" : "on"}\n`);
}
process.exit();
