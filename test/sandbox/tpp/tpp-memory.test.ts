import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openTppMemory } from "../../../packages/sandbox/src/tpp/tpp-memory.ts";
import { TppRefusal } from "../../../packages/sandbox/src/tpp/tpp-refusal.ts";
import { rejectionOf } from "../../support/rejection.ts";

const APPLICATION = {
  clientId: "one",
  clientSecret: "a-secret",
  redirectUri: "https://localhost:7443/callback",
  name: "One",
  certificate: "aisp",
};

describe("what the TPP command line keeps", () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tpp-memory-"));
    await mkdir(join(directory, "tpp"));
    file = join(directory, "tpp", "applications.json");
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("is there for the next command", async () => {
    await openTppMemory(directory).keep(APPLICATION);
    expect(await openTppMemory(directory).application(undefined)).to.deep.equal(APPLICATION);
  });

  it("is named when it cannot be read, without what is in it, and not lost", async () => {
    const broken = '[{"clientSecret": a-secret}]';
    await writeFile(file, broken);
    const memory = openTppMemory(directory);
    for (const act of [() => memory.application(undefined), () => memory.keep(APPLICATION)]) {
      const refusal = await rejectionOf(act());
      expect(refusal).to.be.instanceOf(TppRefusal).and.include({ code: "unreadable" });
      expect(String(refusal)).to.include(file).and.not.include("secret");
    }
    expect(await readFile(file, "utf8")).to.equal(broken);
  });

  it("is not taken for nothing where something else is in its place", async () => {
    await mkdir(file);
    const refusal = await rejectionOf(openTppMemory(directory).application(undefined));
    expect(refusal).to.include({ code: "unreadable" });
  });
});
