import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = "scripts/ensure-built.mjs";
const TURN = "packages/sandbox/.turn.tsbuildinfo";

/** In the place of the compiler: fails where another one builds, and builds until it may end, or its clone is removed. */
const COMPILER = `
  const { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
  writeFileSync("building", String(process.pid), { flag: "wx" });
  appendFileSync("builds", "a build\\n");
  const looking = setInterval(() => {
    if (!existsSync("scripts")) process.exit(1);
    if (!existsSync("may-end")) return;
    clearInterval(looking);
    mkdirSync("packages/sandbox/dist", { recursive: true });
    rmSync("building");
  }, 5);
`;

describe("Build before npm commands on a new clone", () => {
  let root: string;
  const children: ChildProcess[] = [];
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  const kill = (pid: number) => process.kill(pid, "SIGKILL");

  beforeEach(() => {
    root = makeTemporaryFolder("cobs-clone-");
    for (const folder of ["scripts", "packages/sandbox/src", "node_modules/typescript/bin"])
      mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(resolve(import.meta.dirname, "../..", PROGRAM), join(root, PROGRAM));
    for (const file of ["tsconfig.json", "packages/sandbox/tsconfig.json", "packages/sandbox/package.json"])
      write(file, "{}");
    write("node_modules/typescript/package.json", "{}");
    write("node_modules/typescript/bin/tsc", COMPILER);
  });
  afterEach(() => {
    write("may-end", "");
    for (const child of children.splice(0)) child.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Starts it, with programs of these folders; gives its process, and the code with which it ends. */
  function start(programs = process.env.PATH) {
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: root,
      env: { ...process.env, PATH: programs },
      stdio: ["ignore", "ignore", "inherit"],
    });
    children.push(child);
    return { pid: child.pid ?? 0, ended: once(child, "exit").then(([code]) => code) };
  }

  /** Whether somebody waits for their turn, as the kernel tells. */
  function waits(): boolean {
    if (!existsSync(join(root, TURN))) return false;
    const { ino } = statSync(join(root, TURN));
    return new RegExp(`-> FLOCK .*:${ino} `).test(readFileSync("/proc/locks", "utf8"));
  }

  /** One that builds, and one that waits for it. */
  async function startTwo() {
    const first = start();
    await eventually(() => existsSync(join(root, "building")));
    const second = start();
    await eventually(waits);
    return { first, second };
  }

  it("is not prevented by an editor's lock on a file, a link that leads nowhere", async () => {
    symlinkSync("somebody@here.1:1", join(root, "packages/sandbox/src/.#main.ts"));
    write("may-end", "");
    expect(await start().ended).to.equal(0);
    expect(await start().ended).to.equal(0);
    expect(read("builds")).to.equal("a build\n");
  });

  it("is done by one of two commands that are started at once", async () => {
    const { first, second } = await startTwo();
    write("may-end", "");
    expect(await Promise.all([first.ended, second.ended])).to.deep.equal([0, 0]);
    expect(read("builds")).to.equal("a build\n");
  });

  it("is done without waiting where no locks are available", async () => {
    write("may-end", "");
    // What util-linux ends with for ENOLCK and the like.
    write("flock", "#!/bin/sh\nexit 71\n");
    chmodSync(join(root, "flock"), 0o755);
    for (const programs of [root, ""]) {
      expect(await start(programs).ended).to.equal(0);
      rmSync(join(root, "packages/sandbox/dist"), { recursive: true });
    }
    expect(read("builds")).to.equal("a build\na build\n");
  });

  it("is skipped where nothing can be written, so that programs run from their sources", async () => {
    write("may-end", "");
    // For root too, who may write wherever a file system can be written to.
    mkdirSync(join(root, TURN));
    expect(await start().ended).to.equal(0);
    expect(existsSync(join(root, "builds"))).to.equal(false);
  });

  it("is done by the other command when the first is killed, once its compiler has ended", async () => {
    const { first, second } = await startTwo();
    kill(first.pid);
    await first.ended;
    expect(waits()).to.equal(true);
    write("may-end", "");
    expect(await second.ended).to.equal(0);
    expect(read("builds")).to.equal("a build\na build\n");
  });

  it("is done by the other command when the first is killed with its compiler", async () => {
    const { first, second } = await startTwo();
    kill(first.pid);
    await first.ended;
    const compiler = Number(read("building"));
    rmSync(join(root, "building"));
    kill(compiler);
    write("may-end", "");
    expect(await second.ended).to.equal(0);
    expect(read("builds")).to.equal("a build\na build\n");
  });
});
