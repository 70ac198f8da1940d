import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";

const folder = resolve(import.meta.dirname, "../../packages/psd2-certificates");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join(folder, "src", path));

const importForm = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s*"([^"]+)"/g;
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
const importsOf = (path: string) =>
  [...withoutComments(readFileSync(path, "utf8")).matchAll(importForm)].map(([, module = ""]) => module);

/** Every file that is loaded with this one. */
function loadedWith(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const module of importsOf(path))
    if (module.startsWith(".")) loadedWith(resolve(dirname(path), module), known);
  return known;
}

describe("The package psd2-certificates", () => {
  it("depends only on a cache and on the second reader's library", () => {
    expect(Object.keys(manifest.dependencies)).to.deep.equal(["lru-cache", "x509.js"]);
    expect(manifest).to.not.have.any.keys("peerDependencies", "optionalDependencies", "private-dependencies");
  });

  it("imports only its own files, the cache, and Node modules that open no file and no connection", () => {
    const modules = new Set(sources.flatMap(importsOf).filter((module) => !module.startsWith(".")));
    const permitted = /^(lru-cache|node:(crypto|module|timers\/promises|util|worker_threads))$/;
    expect([...modules].filter((module) => !permitted.test(module))).to.deep.equal([]);
    expect(modules.has("lru-cache")).to.equal(true);
  });

  it("reads neither the environment nor a clock: times are passed in", () => {
    // The program of the thread is apart: the process that it silences is the thread.
    for (const path of sources.filter((each) => !each.endsWith("reading-program.ts"))) {
      const code = withoutComments(readFileSync(path, "utf8"));
      expect(code, path).to.not.match(/\bprocess\b(?!")|\bDate\.now\b|\bnew Date\(\)|\bperformance\b/);
    }
  });

  it("does not load threads or the second reader's library through its main entry", () => {
    const loaded = [...loadedWith(join(folder, "src/index.ts"))];
    expect(loaded.filter((path) => path.includes("second-reader"))).to.deep.equal([]);
    expect(loaded.length).to.be.above(30);
    const modules = new Set(loaded.flatMap(importsOf));
    expect([...modules].filter((module) => /worker|x509\.js|node:module/.test(module))).to.deep.equal([]);
  });

  it("has a source file for each entry that it exports", () => {
    expect(Object.keys(manifest.exports)).to.deep.equal([".", "./second-reader"]);
    for (const { source, types, default: built } of Object.values<Record<string, string>>(manifest.exports)) {
      expect(existsSync(join(folder, source ?? ""))).to.equal(true);
      const stem = source?.replace("./src", "./dist").replace(/\.ts$/, "");
      expect([types, built]).to.deep.equal([`${stem}.d.ts`, `${stem}.js`]);
    }
  });

  it("has the licence of the whole project", () => {
    const licence = readFileSync(join(folder, "LICENSE"), "utf8");
    expect(licence).to.equal(readFileSync(join(folder, "../../LICENSE"), "utf8"));
    expect(manifest).to.include({ license: "MIT", private: false, sideEffects: false });
  });
});
