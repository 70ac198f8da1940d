import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FROM_SOURCES = ["--conditions=source", "--import", "tsx"];
const DEPENDENCIES_OF = (service: string): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(join(ROOT, "packages", service, "package.json"), "utf8")).dependencies);

/** What `npm run sbom` writes with some arguments. */
function sbom(...commandLine: readonly string[]) {
  const script = join(ROOT, "scripts/sbom.mjs");
  return spawnSync(process.execPath, [...FROM_SOURCES, script, ...commandLine], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

const namesIn = (text: string): readonly string[] =>
  JSON.parse(text).components.map(({ name }: { readonly name: string }) => name);

describe("Software bill of materials", function listed() {
  this.timeout(120_000);
  let whole: ReturnType<typeof sbom>;
  before(() => {
    whole = sbom();
  });

  it("lists what each service depends on, with version, licence and hash, and nothing of development (CycloneDX)", () => {
    const { stdout, status } = whole;
    const { bomFormat, components } = JSON.parse(stdout);
    expect([status, bomFormat]).to.deep.equal([0, "CycloneDX"]);
    const names = namesIn(stdout);
    expect(names).to.include.members(["auth", "resource"].flatMap(DEPENDENCIES_OF));
    for (const name of ["mocha", "chai", "typescript", "playwright-core"]) expect(names).not.to.include(name);
    const koa = components.find(({ name }: { readonly name: string }) => name === "koa");
    expect(koa).to.have.property("purl", `pkg:npm/koa@${koa.version}`);
    expect(koa.licenses).to.deep.equal([{ license: { id: "MIT" } }]);
    expect(koa.hashes[0]).to.include({ alg: "SHA-512" }).and.to.have.property("content").with.length(128);
  });

  it("reveals neither where packages lie on this machine nor where they came from", () => {
    const { stdout } = whole;
    expect(stdout).not.to.include(ROOT);
    expect(stdout).not.to.include("node_modules");
    expect(JSON.parse(stdout).metadata.component.name).to.equal("cobs-server-pair");
    expect(stdout).not.to.match(/"type": "distribution"|\.tgz/);
  });

  it("can be of one service alone, and be written to a file", () => {
    const folder = temporaryFolder();
    const file = join(folder.path, "sbom.json");
    writeFileSync(file, "a former one");
    const { stdout, status } = sbom("resource", "--output", file);
    expect([status, stdout]).to.deep.equal([0, ""]);
    const names = namesIn(readFileSync(file, "utf8"));
    expect(names).to.include.members(["@cobs/resource", ...DEPENDENCIES_OF("resource")]);
    expect(names).not.to.include("@cobs/auth").and.not.to.include("oidc-provider");
    folder.remove();
  });

  it("reports in one sentence that a file cannot be written", () => {
    const { status, stderr } = sbom("auth", "--output", join(ROOT, "no-such-folder", "sbom.json"));
    expect(status).to.equal(1);
    expect(stderr).to.match(/^npm run sbom: \S+no-such-folder\/sbom\.json cannot be written \(ENOENT\)\n$/);
  });
});
