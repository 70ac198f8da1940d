/**
 * Faults that test suites already cover: they run as in the tests, with many more rounds. A suite has its own scene and
 * verdict; here it is one row.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FaultCase, type FaultParts, plan, type Verdict } from "../fault-case.ts";

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

const ROUNDS = "20";
/** The longest takes twenty minutes, and twice as long on a machine that is busy with other things. */
const SUITE_LIMIT_MILLISECONDS = 3_600_000;

const ALL: readonly Suite[] = [
  {
    name: "processes/kill",
    file: "test/journeys/kill.test.ts",
    environment: { COBS_TEST_KILL_ROUNDS: ROUNDS },
  },
  {
    name: "payments/kill",
    file: "test/journeys/payment-faults.test.ts",
    environment: { COBS_TEST_PAYMENT_KILL_ROUNDS: ROUNDS },
  },
  {
    name: "processes/endings",
    file: "test/journeys/two-of-each/endings.test.ts",
    environment: { COBS_TEST_ENDING_ROUNDS: ROUNDS },
  },
  {
    name: "processes/keys",
    file: "test/journeys/key-rotation.test.ts",
    environment: { COBS_TEST_ROTATION_RATE: "200" },
  },
];

function asCase({ name, file, environment }: Suite): FaultCase<FaultParts> {
  return { name, run: () => runSuite(file, environment) };
}

async function runSuite(file: string, environment: Suite["environment"]): Promise<Verdict> {
  const child = spawn("npx", ["mocha", file, "--reporter", "dot"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, COBS_TEST_BUILT: "1", ...environment },
    // A process group of its own, so that a kill includes the processes that npx has started.
    detached: true,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const end = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  const limit = setTimeout(end, SUITE_LIMIT_MILLISECONDS);
  process.once("exit", end);
  const [code, signal] = await once(child, "close");
  process.off("exit", end);
  clearTimeout(limit);
  if (signal !== null) return { held: false, detail: `ended by ${signal}, not by itself` };
  const passing = Number(/^\s*(\d+) passing/m.exec(output)?.[1] ?? "0");
  const failing = Number(/^\s*(\d+) failing/m.exec(output)?.[1] ?? "0");
  const firstFailure = /^\s*1\) [\s\S]{0,400}/m.exec(output)?.[0]?.replaceAll(/\s+/g, " ");
  const failed = firstFailure === undefined ? "" : `: ${firstFailure}`;
  return {
    held: code === 0 && passing > 0 && failing === 0,
    detail: `${passing} tests passed, ${failing} failed${failed}`,
  };
}

export const SUITES = plan<FaultParts>({
  open: async (parts) => parts,
  close: async () => undefined,
  cases: ALL.map(asCase),
});
