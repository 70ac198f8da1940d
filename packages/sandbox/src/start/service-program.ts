import { fileURLToPath } from "node:url";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";

/** The two programs that the sandbox runs beside PostgreSQL. */
export type ServiceName = "auth" | "resource";

/** The command that runs a service: its sources through tsx if we run from sources ourselves, otherwise its build. */
export function serviceCommand(name: ServiceName): readonly string[] {
  const index = import.meta.resolve(`@cobs/${name}`);
  const fromSources = index.endsWith(".ts");
  const main = fileURLToPath(new URL(fromSources ? "main.ts" : "main.js", index));
  if (!fromSources) return [process.execPath, ...SERVICE_NODE_OPTIONS, main];
  const options = ["--conditions=source", "--import", import.meta.resolve("tsx")];
  return [process.execPath, ...SERVICE_NODE_OPTIONS, ...options, main];
}
