import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import { expect } from "chai";
import { journeySandbox } from "./journey-sandbox.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("A service is started with the same options of Node", () => {
  const options = SERVICE_NODE_OPTIONS.join(" ");

  for (const name of ["auth", "resource"] as const) {
    it(`by the sandbox (${name})`, async () => {
      const { processes } = await (await journeySandbox()).document();
      const command = execFileSync("ps", ["-o", "args=", "-p", String(processes[name])], {
        encoding: "utf8",
      });
      expect(command.split(" ").slice(1).join(" ")).to.match(new RegExp(`^${options} `));
    });

    it(`by npm (${name})`, () => {
      const { scripts } = JSON.parse(read("package.json"));
      expect(scripts[`start:${name}`]).to.equal(`exec node ${options} scripts/run-program.mjs ${name}/main`);
    });
  }

  it("in its image", () => {
    const entrypoint = JSON.stringify(["node", ...SERVICE_NODE_OPTIONS]).replaceAll(",", ", ");
    expect(read("scripts/image/Dockerfile")).to.include(
      `ENTRYPOINT ${entrypoint}\nCMD ["packages/auth/dist/main.js"]`,
    );
  });

  it("and has a larger young generation by them", () => {
    // What lives at each collection lets it grow as far as it may.
    const grow = `
      const alive = [];
      for (let made = 0; made < 1_000_000; made += 1) alive[made % 300_000] = { made: [made] };
      const spaces = require("node:v8").getHeapSpaceStatistics();
      console.log(spaces.find((space) => space.space_name === "new_space").space_size);`;
    const sizeWith = (given: readonly string[]) =>
      Number(execFileSync(process.execPath, [...given, "-e", grow], { encoding: "utf8", env: {} }));
    expect(sizeWith(SERVICE_NODE_OPTIONS)).to.be.above(sizeWith([]));
  });
});
