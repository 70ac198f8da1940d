import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import pg from "pg";
import { ask, endOf, firstLine, serverFolder } from "./started-server.ts";

const PROGRAM = join(import.meta.dirname, "starter-program.ts");

interface Said {
  readonly pid: number;
  readonly url: string;
  readonly owned: boolean;
}

describe("PostgreSQL of the sandbox", () => {
  const folder = serverFolder();
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await folder.stop();
  });
  after(() => folder.remove());

  async function startProgram(options: { detached: boolean }) {
    const command = ["--conditions=source", "--import", "tsx", PROGRAM, folder.path];
    const child = spawn(process.execPath, command, {
      ...options,
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const said: Said = JSON.parse(await firstLine(child));
    return { child, said };
  }

  it("still has every acknowledged row at the next start after a crash of the server itself", async () => {
    const server = await folder.start({ durability: "full" });
    const acknowledged = insertUntilItBreaks(server.superuserUrl(), (count) => {
      if (count === 300) process.kill(server.pid, "SIGKILL");
    });
    expect(await acknowledged).to.be.at.least(300);
    expect(await server.ended).to.deep.equal({ exitCode: null, signal: "SIGKILL", stopped: false });
    const again = await folder.start({ durability: "full" });
    const [kept] = await ask(again.superuserUrl(), "SELECT count(*)::int FROM written");
    expect(kept).to.be.at.least(await acknowledged);
  });

  it("shuts down by itself when its starter crashes, and the folder opens again at once", async () => {
    const { child, said } = await startProgram({ detached: false });
    await ask(said.url, "CREATE TABLE kept AS SELECT 7 AS n");
    child.kill("SIGKILL");
    await once(child, "exit");
    const again = await folder.start({ durability: "full" });
    expect(again.owned).to.equal(true);
    expect(again.pid).not.to.equal(said.pid);
    expect(await ask(again.superuserUrl(), "SELECT n FROM kept")).to.deep.equal([7]);
    expect(await readFile(join(folder.path, "server.log"), "utf8")).to.match(/database system is shut down/);
  });

  it("is gone within seconds after its starter crashes, without another start", async () => {
    const { child, said } = await startProgram({ detached: false });
    child.kill("SIGKILL");
    await endOf(said.pid);
  });

  it("is not reached by Ctrl-C in its starter's terminal, only the starter is", async () => {
    const { child, said } = await startProgram({ detached: true });
    const client = new pg.Client({ connectionString: said.url });
    const lost = new Promise((resolve) => client.on("error", resolve));
    await client.connect();
    // What a terminal does: a signal to the whole foreground group.
    process.kill(-Number(child.pid), "SIGSTOP");
    process.kill(-Number(child.pid), "SIGINT");
    expect((await client.query("SELECT 1 AS n")).rows).to.deep.equal([{ n: 1 }]);
    process.kill(-Number(child.pid), "SIGCONT");
    await once(child, "exit");
    await lost;
    await endOf(said.pid);
  });

  it("lets a second process attach to the server of the first", async () => {
    const { said } = await startProgram({ detached: false });
    const guest = await folder.start({ durability: "full" });
    expect([guest.owned, guest.pid]).to.deep.equal([false, said.pid]);
    expect(await ask(guest.superuserUrl(), "SELECT 1")).to.deep.equal([1]);
  });
});

async function insertUntilItBreaks(url: string, onWritten: (count: number) => void): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("CREATE TABLE written (n int PRIMARY KEY)");
  for (let count = 0; ; ) {
    const written = await client.query("INSERT INTO written VALUES ($1)", [count]).catch(() => undefined);
    if (written === undefined) return count;
    count += 1;
    onWritten(count);
  }
}
