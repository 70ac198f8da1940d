import { readFileSync } from "node:fs";
import { expect } from "chai";

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const NAME = /^.*node_modules\//;

describe("Install scripts of dependencies", () => {
  it("are all switched off by name, so that npm has nothing to warn of", () => {
    const { packages } = read("package-lock.json") as {
      packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const withScript = Object.entries(packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript === true,
    );
    const names = withScript.map(([path]) => path.replace(NAME, "")).sort();
    expect(names).to.not.deep.equal([]);
    expect(read("package.json").allowScripts).to.deep.equal(
      Object.fromEntries(names.map((name) => [name, false])),
    );
  });
});
