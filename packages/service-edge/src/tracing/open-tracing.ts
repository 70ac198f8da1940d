import type { ServiceProcess } from "../lifecycle/open-service.ts";
import { NO_TRACING, type Tracing } from "./tracing.ts";
import type { TracingSettings } from "./tracing-settings.ts";

/** Opens tracing if it is configured, and loads its libraries only then; the lifecycle sends the last spans. */
export async function openTracing(
  settings: TracingSettings | undefined,
  { log, lifecycle }: Pick<ServiceProcess, "log" | "lifecycle">,
  service: string,
): Promise<Tracing> {
  if (settings === undefined) return NO_TRACING;
  const [{ openSpans }, { traceSeams }] = await Promise.all([
    import("./open-spans.ts"),
    import("./trace-seams.ts"),
  ]);
  const spans = openSpans({ ...settings, serviceName: settings.serviceName ?? service }, log);
  lifecycle.onStop("traces", () => spans.close());
  return traceSeams(spans);
}
