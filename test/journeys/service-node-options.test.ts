import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import { expect } from "chai";
import { journeySandbox } from "./journey-sandbox.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("Node options of a service", () => {
  const options = SERVICE_NODE_OPTIONS.join(" ");

  for (const name of ["auth", "resource"] as const) {
    it(`are the same when the sandbox starts it (${name})`, async () => {
      const { processes } = await (await journeySandbox()).document();
      const command = execFileSync("ps", ["-o", "args=", "-p", String(processes[name])], {
        encoding: "utf8",
      });
      expect(command.split(" ").slice(1).join(" ")).to.match(new RegExp(`^${options} `));
    });

    it(`are the same when npm starts it (${name})`, () => {
      const { scripts } = JSON.parse(read("package.json"));
      expect(scripts[`start:${name}`]).to.equal(`exec node ${options} scripts/run-program.mjs ${name}/main`);
    });
  }

  it("are the same in its image", () => {
    const entrypoint = JSON.stringify(["node", ...SERVICE_NODE_OPTIONS]).replaceAll(",", ", ");
    expect(read("scripts/image/Dockerfile")).to.include(
      `ENTRYPOINT ${entrypoint}\nCMD ["packages/auth/dist/main.js"]`,
    );
  });

  it("set the halves of the young generation to 32 MiB, whatever Node would take by itself", () => {
    const limitWith = (given: readonly string[]) =>
      Number(
        execFileSync(process.execPath, [...given, "-p", "v8.getHeapStatistics().heap_size_limit"], {
          encoding: "utf8",
          env: {},
        }),
      );
    // V8 counts the young generation as three halves.
    const more = limitWith(SERVICE_NODE_OPTIONS) - limitWith(["--max-semi-space-size=8"]);
    expect(more / 3 / 1_048_576).to.equal(32 - 8);
  });
});
