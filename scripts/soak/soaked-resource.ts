import { join, resolve } from "node:path";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { isReady } from "../../packages/sandbox/src/start/await-ready.ts";
import { eventually } from "../../test/support/eventually.ts";
import { freePort } from "../../test/support/free-port.ts";
import { PROGRAMS_BUILT } from "../../test/support/test-environment.ts";

/** Memory of a process in bytes, right after garbage collection. */
export interface HeldMemory {
  readonly heapUsed: number;
  readonly rss: number;
}

/** A resource server in its own process that can report its memory. */
export interface SoakedResource {
  readonly port: number;
  memory(): Promise<HeldMemory>;
  /** The value of each line of its metrics, by name and labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

const REPORT = /^\{"memory":.*\}$/m;
const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = {
  built: ["packages/resource/dist/main.js"],
  sources: ["--conditions=source", "--import", "tsx", "packages/resource/src/main.ts"],
};

/**
 * Starts the server and waits until it is ready. Runs the built one if `built` says so or the gate has just built it, otherwise
 * the sources.
 */
export async function startSoakedResource(
  environment: Readonly<Record<string, string>>,
  { built = PROGRAMS_BUILT }: { readonly built?: boolean } = {},
): Promise<SoakedResource> {
  const [port, operatorPort] = [await freePort(), await freePort()];
  const program = built ? PROGRAM.built : PROGRAM.sources;
  const preload = ["--expose-gc", "--import", join(import.meta.dirname, "report-heap.mjs")];
  const child = spawnWithWatchdog(
    {
      command: [process.execPath, ...preload, ...program],
      cwd: ROOT,
      env: { ...environment, MUTUAL_TLS_PORT: String(port), OPERATOR_PORT: String(operatorPort) },
      stdio: ["ignore", "ignore", "pipe"],
    },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: 10 },
  );
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the resource server has ended: ${said}`);
    return isReady(operatorPort);
  }, 60_000);
  return {
    port,
    memory: async () => {
      said = "";
      child.kill("SIGUSR2");
      await eventually(() => REPORT.test(said), 30_000);
      return JSON.parse(REPORT.exec(said)?.[0] ?? "").memory;
    },
    metrics: async () => readMetrics(await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text()),
    stop: async () => {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
