import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";

const RULES = "scripts/operations";
const CASES = join(import.meta.dirname, "rules");

/** What promtool says, and whether it is content; without it there is no test. */
async function promtool(
  ...options: readonly string[]
): Promise<{ readonly holds: boolean; readonly said: string }> {
  return promisify(execFile)("promtool", options).then(
    ({ stdout, stderr }) => ({ holds: true, said: stdout + stderr }),
    (error: unknown) => ({ holds: false, said: `${error} ${Object(error).stdout ?? ""}` }),
  );
}

describe("The rules that Prometheus evaluates", () => {
  it("are rules to Prometheus itself", async () => {
    const { holds, said } = await promtool(
      "check",
      "rules",
      join(RULES, "alert-rules.yml"),
      join(RULES, "recording-rules.yml"),
    );
    expect(holds, said).to.equal(true);
  });

  for (const file of readdirSync(CASES))
    it(`say of ${file.replace(".yml", "")} what the cases of ${file} expect`, async () => {
      const { holds, said } = await promtool("test", "rules", join(CASES, file));
      expect(holds, said).to.equal(true);
    });
});
