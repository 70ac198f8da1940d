import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { commandOf } from "../../support/program.ts";

const TELL = `import { writeSync } from "node:fs";
export function resolve(specifier, context, next) {
  if (specifier.endsWith("/service.js") || specifier.endsWith("/service.ts")) writeSync(1, "loads " + specifier + "\\n");
  return next(specifier, context);
}`;
const REGISTER = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(TELL))});`;

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

describe("Service that is asked for its usage", function askedForHelp() {
  this.timeout(120_000);

  for (const name of ["auth", "resource"])
    it(`answers without loading the modules that serve calls: ${name}`, async () => {
      const [node = "", ...program] = commandOf(`packages/${name}/src/main.ts`);
      const { stdout } = await promisify(execFile)(node, [
        "--import",
        dataUrl(REGISTER),
        ...program,
        "--help",
      ]);
      expect(stdout).to.match(new RegExp(`^Usage: ${name} `));
      expect(stdout).not.to.include("loads ");
    });
});
