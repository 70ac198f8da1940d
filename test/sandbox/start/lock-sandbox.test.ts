import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "chai";
import { processIdentity } from "../../../packages/sandbox/src/processes/process-identity.ts";
import { lockSandbox } from "../../../packages/sandbox/src/start/lock-sandbox.ts";
import { rejectionOf } from "../../support/rejection.ts";

const AT_ONCE = 50;
const ROUNDS = 20;

describe("Lock of a sandbox's folder", () => {
  let folder: string;
  let lock: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lock-test-"));
    lock = join(folder, "supervisor");
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** As a process leaves it that was killed. */
  async function abandon(text: string): Promise<void> {
    await mkdir(lock);
    await writeFile(join(lock, randomUUID()), text);
  }

  async function endedProcess(): Promise<string> {
    const own = await processIdentity(process.pid);
    return JSON.stringify({ ...own, startedAt: "an earlier process with our number" });
  }

  it("is held by one process, and the next one learns which", async () => {
    await lockSandbox(lock);
    const refusal = await rejectionOf(lockSandbox(lock));
    expect(refusal).to.include({ code: "already_running" });
    expect(refusal.message).to.include(`process ${process.pid}`);
  });

  it("is free again after its release, without remains", async () => {
    await (await lockSandbox(lock)).release();
    expect(await readdir(folder)).to.deep.equal([]);
    expect(await lockSandbox(lock)).to.include({ abandoned: false });
  });

  it("is taken over from a process that is gone, without remains", async () => {
    await abandon(await endedProcess());
    const taken = await lockSandbox(lock);
    expect(taken).to.include({ abandoned: true });
    await taken.release();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it("removes what a killed process left of its own lock, but not that of one still making it", async () => {
    const [killed, going] = [`${lock}.${randomUUID()}`, `${lock}.${randomUUID()}`];
    for (const made of [killed, going]) await mkdir(made);
    await writeFile(join(killed, randomUUID()), "");
    const before = Date.now() / 1_000 - 61;
    await utimes(killed, before, before);
    await (await lockSandbox(lock)).release();
    expect(await readdir(folder)).to.deep.equal([basename(going)]);
  });

  for (const [what, text] of [
    ["no process at all", "null"],
    ["nothing, as after a loss of power", ""],
  ] as const)
    it(`is taken over when it holds ${what}`, async () => {
      await abandon(text);
      expect(await lockSandbox(lock)).to.include({ abandoned: true });
    });

  it("is taken over from a process that is gone by one of fifty that try at once", async () => {
    const text = await endedProcess();
    for (let round = 0; round < ROUNDS; round += 1) {
      await abandon(text);
      const tries = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => lockSandbox(lock)));
      const taken = tries.filter((each) => each.status === "fulfilled").map(({ value }) => value);
      const codes = tries.filter((each) => each.status === "rejected").map(({ reason }) => reason.code);
      expect(taken).to.have.length(1);
      expect(new Set(codes)).to.deep.equal(new Set(["already_running"]));
      await taken[0]?.release();
    }
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
