import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { processIdentity } from "../../../packages/sandbox/src/processes/process-identity.ts";
import { lockSandbox } from "../../../packages/sandbox/src/start/lock-sandbox.ts";
import { rejectionOf } from "../../support/rejection.ts";

describe("the lock of a sandbox's folder", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lock-test-"));
    file = join(folder, "supervisor.json");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is had by one process, and the next is told which", async () => {
    await lockSandbox(file);
    const refusal = await rejectionOf(lockSandbox(file));
    expect(refusal).to.include({ code: "already_running" });
    expect(refusal.message).to.include(`process ${process.pid}`);
  });

  it("is free again after its release, and leaves nothing", async () => {
    await (await lockSandbox(file)).release();
    expect(await readdir(folder)).to.deep.equal([]);
    expect(await lockSandbox(file)).to.include({ abandoned: false });
  });

  it("is taken over from a process that is gone", async () => {
    const own = await processIdentity(process.pid);
    await writeFile(file, JSON.stringify({ ...own, startedAt: "an earlier process with our number" }));
    expect(await lockSandbox(file)).to.include({ abandoned: true });
    expect(await readdir(folder)).to.deep.equal(["supervisor.json"]);
  });

  it("is taken over when it holds no process at all", async () => {
    await writeFile(file, "null");
    expect(await lockSandbox(file)).to.include({ abandoned: true });
  });
});
