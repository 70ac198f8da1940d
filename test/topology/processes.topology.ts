import { generateKeyPairSync } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { recordCalls } from "../../scripts/topology/load/record-calls.ts";
import { startSteadyLoad } from "../../scripts/topology/load/steady-load.ts";
import { type Member, startTopology, type Topology } from "../../scripts/topology/start-topology.ts";
import { eventually } from "../support/eventually.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** Two signals within half a second are taken for one. */
const ANOTHER_SIGNAL_MILLISECONDS = 700;
const LIMIT_MILLISECONDS = 120_000;
/** So long a service still takes calls when it is told to end: a busy machine may take a while to tell it so again. */
const DRAIN_DELAY_SECONDS = "10";

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

async function variableOf(pid: number, name: string): Promise<string> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8");
  const found = text.split("\0").find((each) => each.startsWith(`${name}=`));
  if (found === undefined) throw new Error(`no ${name}`);
  return found.slice(name.length + 1);
}

describe("Service in several processes that share its ports", function severalProcesses() {
  this.timeout(400_000);
  let directory: string;
  let topology: Topology;
  before(async () => {
    directory = makeTemporaryFolder("cobs-topology-");
    topology = await startTopology({
      directory: join(directory, "bank"),
      processes: 1,
      commandLine: ["--processes", "2"],
      environment: { DRAIN_DELAY_SECONDS },
      say: () => undefined,
    });
  });
  after(async () => {
    await topology?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });

  const memberOf = (service: Member["service"]): Member => {
    const found = topology.members.find((member) => member.service === service);
    if (found === undefined) throw new Error(`no ${service}`);
    return found;
  };
  async function ask({ operatorPort }: Member, path: string) {
    const answer = await fetch(`http://127.0.0.1:${operatorPort}${path}`);
    return { status: answer.status, text: await answer.text() };
  }
  /** The numbers of the processes that tell of themselves. */
  async function numbersIn(member: Member, metric: string): Promise<readonly string[]> {
    const { text } = await ask(member, "/metrics");
    const rows = text.matchAll(new RegExp(`^${metric}\\{.*process="(\\d)"`, "gm"));
    return [...new Set([...rows].map(([, number = ""]) => number))].sort();
  }

  /** Whether both processes are, each by itself. */
  async function areReady(member: Member): Promise<boolean> {
    const { text } = await ask(member, "/metrics");
    const rows = [...text.matchAll(/^service_ready\{.*process="(\d)".*\} (\d)$/gm)];
    return rows.every(([, , ready]) => ready === "1") && new Set(rows.map(([, number]) => number)).size === 2;
  }

  it("answers callers and the operator as one", async () => {
    const load = await startSteadyLoad(topology.document, { callers: 4, pauseMilliseconds: 10 });
    await eventually(() => load.records.done > 100, LIMIT_MILLISECONDS);
    await load.stop();
    expect(load.records.failed).to.deep.equal([]);
    for (const member of topology.members) expect((await ask(member, "/readyz")).status).to.equal(200);
  });

  it("counts the calls of each process in separate series", async () => {
    const numbers = () => numbersIn(memberOf("resource"), "http_requests_total");
    // One that does not answer in time is left out.
    await eventually(async () => (await numbers()).join() === "1,2", LIMIT_MILLISECONDS);
  });

  it("replaces a process that is killed, and stays ready", async () => {
    const member = memberOf("resource");
    const records = recordCalls();
    const [killed] = await childrenOf(member.pid);
    expect(killed).to.be.a("number");
    process.kill(killed ?? 0, "SIGKILL");
    const isReplaced = async () => {
      await records.follow("ready", [200], async () => (await ask(member, "/readyz")).status);
      const children = await childrenOf(member.pid);
      return children.length === 2 && !children.includes(killed ?? 0);
    };
    await eventually(isReplaced, LIMIT_MILLISECONDS);
    await eventually(async () => (await numbersIn(member, "service_ready")).length === 2, LIMIT_MILLISECONDS);
    expect(records.failed).to.deep.equal([]);
  });

  it("serves with the remaining processes while another cannot start, until its key has come", async () => {
    const member = memberOf("resource");
    const file = await variableOf(member.pid, "SERVER_KEY_FILE");
    const key = await readFile(file);
    await eventually(() => areReady(member), LIMIT_MILLISECONDS);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const [killed = 0, staying = 0] = await childrenOf(member.pid);
    const tried = new Set<number>();
    try {
      await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
      process.kill(killed, "SIGKILL");
      await eventually(async () => {
        for (const child of await childrenOf(member.pid)) tried.add(child);
        tried.delete(killed);
        return tried.size > 2;
      }, LIMIT_MILLISECONDS);
      expect(tried).to.include(staying);
      expect((await ask(member, "/readyz")).status).to.equal(200);
    } finally {
      await writeFile(file, key);
    }
    await eventually(() => areReady(member), LIMIT_MILLISECONDS);
    expect(await childrenOf(member.pid)).to.include(staying);
  });

  it("replaces a process that hangs", async () => {
    const member = memberOf("resource");
    const [hung] = await childrenOf(member.pid);
    process.kill(hung ?? 0, "SIGSTOP");
    await eventually(async () => {
      const children = await childrenOf(member.pid);
      return children.length === 2 && !children.includes(hung ?? 0);
    }, LIMIT_MILLISECONDS);
    await eventually(async () => (await ask(member, "/readyz")).status === 200, LIMIT_MILLISECONDS);
  });

  it("ends all processes in order on SIGTERM, with exit code 0", async () => {
    expect(await topology.restart(memberOf("resource"))).to.equal("exit code 0");
  });

  it("ends all processes at once on a second signal, with exit code 1", async () => {
    const member = memberOf("auth");
    const children = await childrenOf(member.pid);
    topology.signal(member, "SIGTERM");
    // It has heard the first: a busy machine hands over two that wait as one.
    await eventually(async () => (await ask(member, "/readyz")).status === 503, LIMIT_MILLISECONDS);
    await delay(ANOTHER_SIGNAL_MILLISECONDS);
    topology.signal(member, "SIGTERM");
    expect(await topology.ended(member)).to.equal("exit code 1");
    expect(children.filter(isRunning)).to.deep.equal([]);
    await topology.start(member);
  });
});
