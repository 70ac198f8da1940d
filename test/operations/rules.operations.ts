import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

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

/** What the panel of this title asks, of all services. */
function askedBy(title: string): string | undefined {
  const { panels }: { readonly panels: readonly { title: string; targets?: { expr: string }[] }[] } =
    JSON.parse(readFileSync(join(RULES, "grafana-dashboard.json"), "utf8"));
  const panel = panels.find((each) => each.title === title);
  return panel?.targets?.[0]?.expr.replaceAll("$service", ".+");
}

describe("Rules that Prometheus evaluates", () => {
  it("are accepted by promtool", async () => {
    const { holds, said } = await promtool(
      "check",
      "rules",
      join(RULES, "alert-rules.yml"),
      join(RULES, "recording-rules.yml"),
    );
    expect(holds, said).to.equal(true);
  });

  it("have for each alert a case in which it fires", () => {
    const rules = readFileSync(join(RULES, "alert-rules.yml"), "utf8");
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const cases = readdirSync(CASES).map((file) => readFileSync(join(CASES, file), "utf8"));
    const fired = cases.flatMap((text) =>
      [...text.matchAll(/ALERTS\{alertname="(\w+)", alertstate="firing", severity/g)].map(([, name]) => name),
    );
    expect(names.filter((name) => !fired.includes(name))).to.deep.equal([]);
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

    it(`give for ${file.replace(".yml", "")} what the cases of ${file} expect`, async () => {
      const { holds, said } = await promtool("test", "rules", join(CASES, file));
      expect(holds, said).to.equal(true);
    });
  }
});

describe("Dashboard", () => {
  const calls = (service: string, status: string, values: string) => ({
    series: `http_requests_total{job="${service}", instance="i", service="${service}", status="${status}"}`,
    values,
  });
  const requests = (outcome: string, values: string) => ({
    series: `outgoing_request_duration_seconds_count{service="auth", target="resource_accounts", outcome="${outcome}"}`,
    values,
  });
  let folder: string;
  before(() => {
    folder = makeTemporaryFolder("cobs-rules-");
  });
  after(() => rm(folder, { recursive: true }));

  /** Has promtool compare what the panel of a title shows of some series after twenty minutes. */
  async function requireShown(
    title: string,
    { series, shown }: { readonly series: readonly object[]; readonly shown: readonly object[] },
  ): Promise<void> {
    const file = join(folder, "panel.yml");
    const test = {
      interval: "15s",
      input_series: series,
      promql_expr_test: [{ expr: askedBy(title), eval_time: "20m", exp_samples: shown }],
    };
    const rule_files = [resolve(RULES, "recording-rules.yml")];
    writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: "1m", tests: [test] }));
    const { holds, said } = await promtool("test", "rules", file);
    expect(holds, said).to.equal(true);
  }

  it("draws 0, rather than no data, for a service whose calls do not fail", () =>
    requireShown("Failed calls", {
      series: [
        calls("auth", "200", "0+3x80"),
        calls("auth", "503", "0+1x80"),
        calls("resource", "200", "0+1x80"),
      ],
      shown: [
        { labels: '{service="auth"}', value: 0.25 },
        { labels: '{service="resource"}', value: 0 },
      ],
    }));

  it("draws the requests to others that failed in any way, also those that nobody waits for any more", () => {
    const outcomes = ["failed", "given_up", "refused", "unanswered"];
    return requireShown("Failed requests to others", {
      series: ["answered", ...outcomes].map((outcome) => requests(outcome, "0+15x80")),
      shown: outcomes.map((outcome) => ({
        labels: `{service="auth", target="resource_accounts", outcome="${outcome}"}`,
        value: 1,
      })),
    });
  });
});
