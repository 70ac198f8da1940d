import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { PROGRAMS_BUILT } from "../../support/test-environment.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SOURCES = join(ROOT, "packages/auth/src");
const OF_PROVIDER = /\bfrom "oidc-provider"|\bimport\("oidc-provider"\)/;

/** The declarations of auth as the compiler writes them, by path: types that were only inferred are written out. */
function declarations(folder: string): ReadonlyMap<string, string> {
  const written = PROGRAMS_BUILT ? join(ROOT, "packages/auth/dist") : writeDeclarations(folder);
  // By the sources: what is left of one that is gone is none of theirs.
  return new Map(
    readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => [path, readFileSync(join(written, path.replace(/\.ts$/, ".d.ts")), "utf8")]),
  );
}

/** Where nothing is known to be built of this moment. */
function writeDeclarations(folder: string): string {
  const settings = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      removeComments: true,
      rootDir: ROOT,
      outDir: join(folder, "out"),
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    include: [`${SOURCES}/**/*.ts`],
  };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(settings));
  spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project], { cwd: ROOT });
  return join(folder, "out/packages/auth/src");
}

describe("The wall around the OAuth provider", function wall() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let declared: ReadonlyMap<string, string>;
  before(() => {
    declared = declarations(folder.path);
  });
  after(() => folder.remove());

  const paths = (isInside: boolean) =>
    [...declared.keys()].filter((path) => path.startsWith("provider/") === isInside);

  it("lets no type of the provider into a file outside, named or inferred", () => {
    expect(paths(false).length).to.be.greaterThan(100);
    for (const path of paths(false)) expect(declared.get(path), path).not.to.match(OF_PROVIDER);
  });

  it("shows none in the declarations of files that are imported from outside", () => {
    const imported = paths(false).flatMap((path) =>
      [...readFileSync(join(SOURCES, path), "utf8").matchAll(/from "[./]+\/(provider\/[^"]+)"/g)].map(
        ([, module = ""]) => module,
      ),
    );
    expect(imported).to.include("provider/authorization-server.ts");
    for (const path of imported) expect(declared.get(path), path).not.to.match(OF_PROVIDER);
  });

  it("does enclose files with the provider's types, which the search finds", () => {
    expect(paths(true).filter((path) => OF_PROVIDER.test(declared.get(path) ?? "")).length).to.be.greaterThan(
      10,
    );
  });
});
