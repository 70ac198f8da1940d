import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { inTurn } from "../../../packages/sandbox/src/files/in-turn.ts";
import { takeLock } from "../../../packages/sandbox/src/files/take-lock.ts";
import { explainError } from "../../../packages/sandbox/src/tpp/explain-error.ts";
import { openTppMemory } from "../../../packages/sandbox/src/tpp/tpp-memory.ts";
import { TppRefusal } from "../../../packages/sandbox/src/tpp/tpp-refusal.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { KEPT_APPLICATION } from "./kept-application.ts";

const READY = {
  clientId: "ready",
  clientSecret: "another-secret",
  redirectUri: "https://localhost:7443/callback",
  certificate: "all-roles",
  tokens: { aisp: "a", pisp: "p", both: "b" },
  refreshToken: "r",
  psu: "firma",
};

describe("Memory of the TPP command line", () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tpp-memory-"));
    await mkdir(join(directory, "tpp"));
    file = join(directory, "tpp", "applications.json");
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("is there for the next command", async () => {
    await openTppMemory(directory, READY).keep(KEPT_APPLICATION);
    expect(await openTppMemory(directory, READY).application()).to.deep.equal(KEPT_APPLICATION);
  });

  it("gives the sandbox's ready application until another one was used, and later by name", async () => {
    const memory = openTppMemory(directory, READY);
    const ready = await memory.application();
    expect(ready).to.include({ clientId: "ready", certificate: "all-roles" });
    expect(ready.tokens).to.deep.equal({ accessToken: "b", refreshToken: "r", scope: "aisp pisp" });
    await memory.keep(KEPT_APPLICATION);
    expect(await memory.application()).to.deep.equal(KEPT_APPLICATION);
    expect(await memory.application("ready")).to.deep.equal(ready);
    const refreshed = { ...ready, tokens: { accessToken: "fresh" } };
    await memory.keep(refreshed);
    await memory.keep(refreshed);
    expect(await memory.application("ready")).to.deep.equal(refreshed);
    expect(JSON.parse(await readFile(file, "utf8")), "each once").to.deep.equal([
      KEPT_APPLICATION,
      refreshed,
    ]);
    expect(await rejectionOf(memory.application("strange"))).to.include({ code: "usage" });
  });

  it("does not give a ready application of an earlier start, which another one has replaced", async () => {
    const former = openTppMemory(directory, { ...READY, clientId: "former" });
    await former.keep({ ...(await former.application()), tokens: { accessToken: "revoked" } });
    const memory = openTppMemory(directory, READY);
    expect((await memory.application()).clientId).to.equal("ready");
    expect(await rejectionOf(memory.application("former"))).to.include({ code: "usage" });
  });

  it("has no application before the first registration if there is no ready one", async () => {
    const former = openTppMemory(directory, READY);
    await former.keep({ ...(await former.application()), tokens: { accessToken: "revoked" } });
    const memory = openTppMemory(directory, null);
    expect(await rejectionOf(memory.application())).to.include({
      code: "usage",
      message: "no application is known here",
    });
    await memory.keep(KEPT_APPLICATION);
    expect(await memory.application()).to.deep.equal(KEPT_APPLICATION);
  });

  it("is complete when several commands store something at the same moment", async () => {
    const names = Array.from({ length: 10 }, (_, at) => `application-${at}`);
    await Promise.all(
      names.map((clientId) => openTppMemory(directory, READY).keep({ ...KEPT_APPLICATION, clientId })),
    );
    const kept = names.map((clientId) => openTppMemory(directory, READY).application(clientId));
    expect((await Promise.all(kept)).map(({ clientId }) => clientId)).to.deep.equal(names);
    const usedSteps = openUsedSteps(usedStepsFile(directory));
    await Promise.all(names.map((name, step) => usedSteps.take(name, () => step)));
    const steps = await Promise.all(names.map((name) => usedSteps.last(name)));
    expect(steps).to.deep.equal(names.map((_, step) => step));
  });

  it("gives each of fifty commands at the same moment its own one-time code", async () => {
    const take = () => openUsedSteps(usedStepsFile(directory)).take("jana", (last) => last + 1);
    const taken = await Promise.all(Array.from({ length: 50 }, take));
    expect(taken.toSorted((one, other) => one - other)).to.deep.equal(taken.map((_, index) => index));
  });

  it("waits longer for several commands that go first than for a single one", async () => {
    const lock = `${file}.lock`;
    await takeLock(lock);
    const machineNow = performance.now;
    let time = machineNow.call(performance);
    let looks = 0;
    let isOver = false;
    performance.now = () => {
      looks += 1;
      return time;
    };
    /** Lets another hold it, for so long that it is seen, and some time pass. */
    const goOn = async () => {
      const [holding = ""] = await readdir(lock);
      await rename(join(lock, holding), join(lock, randomUUID()));
      const before = looks;
      while (looks < before + 2 && !isOver) await delay(1);
      time += 40;
    };
    try {
      const end = inTurn(file, async () => "its turn", 50)
        .catch(String)
        .finally(() => {
          isOver = true;
        });
      for (let others = 0; others < 3; others += 1) await goOn();
      await rm(lock, { recursive: true });
      expect(await end).to.equal("its turn");
    } finally {
      performance.now = machineNow;
    }
  });

  it("names the process of a command that holds it for too long", async () => {
    const keeping = await takeLock(`${file}.lock`);
    const refused = await rejectionOf(inTurn(file, () => Promise.resolve(), 50));
    await keeping.release();
    const told = await explainError(refused);
    expect(told).to.be.instanceOf(TppRefusal).and.include({ code: "unreadable" });
    expect(String(told)).to.include(file).and.include(`process ${process.pid}`);
  });

  it("is named, but neither shown nor lost, when it cannot be read", async () => {
    const broken = '[{"clientSecret": a-secret}]';
    await writeFile(file, broken);
    const memory = openTppMemory(directory, READY);
    for (const act of [
      () => memory.application(),
      () => memory.prepare(),
      () => memory.keep(KEPT_APPLICATION),
    ]) {
      const refusal = await rejectionOf(act());
      expect(refusal).to.be.instanceOf(TppRefusal).and.include({ code: "unreadable" });
      expect(String(refusal)).to.include(file).and.not.include("secret");
    }
    expect(await readFile(file, "utf8")).to.equal(broken);
  });

  it("does not count as empty when something else is in its place", async () => {
    await mkdir(file);
    const refusal = await rejectionOf(openTppMemory(directory, READY).application());
    expect(refusal).to.include({ code: "unreadable" });
  });
});
