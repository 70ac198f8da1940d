import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";

const RULES = "scripts/operations";
const CASES = join(import.meta.dirname, "rules");

/** The names of the groups in a file of rules. */
function groupsOf(file: string): readonly string[] {
  const { groups }: { readonly groups: readonly { readonly name: string }[] } = parse(
    readFileSync(file, "utf8"),
  );
  return groups.map(({ name }) => name);
}

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

  for (const file of readdirSync(CASES)) {
    it(`are evaluated in one order in ${file}`, () => {
      const { rule_files, group_eval_order }: Record<string, readonly string[]> = parse(
        readFileSync(join(CASES, file), "utf8"),
      );
      const groups = rule_files?.flatMap((path) => groupsOf(join(CASES, path)));
      expect(group_eval_order).to.deep.equal(groups);
      expect(new Set(groups).size, "each name is of one group").to.equal(groups?.length);
    });

    it(`say of ${file.replace(".yml", "")} what the cases of ${file} expect`, async () => {
      const { holds, said } = await promtool("test", "rules", join(CASES, file));
      expect(holds, said).to.equal(true);
    });
  }
});
