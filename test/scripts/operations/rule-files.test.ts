import { readFileSync } from "node:fs";
import { expect } from "chai";
import { allMetrics, type DescribedMetric, OF_NODE } from "../../../scripts/operations/all-metrics.ts";
import { readRules } from "../../../scripts/operations/rule-files.ts";

const DASHBOARD = "scripts/operations/grafana-dashboard.json";
/** What Prometheus adds to what it reads. */
const OF_PROMETHEUS = ["up"];
/** Labels that Prometheus gives itself: one that a process has of the same name becomes `exported_…`, and no rule sees it. */
const LABELS_OF_PROMETHEUS = ["job", "instance"];
const LABELS_OF_ALL = ["service", "job", "instance", "process", "le", "kind"];
/** Words of the language, and functions that are used. */
const WORDS = new Set(
  `sum min max count by on and or bool vector rate increase time topk histogram_quantile without ignoring unless sum_over_time max_over_time clamp_min`.split(
    " ",
  ),
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

interface Selector {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The series that an expression asks for, with the labels that it asks about, and those that it groups by. */
function selectorsOf(expression: string): { readonly selectors: Selector[]; readonly grouped: string[] } {
  const grouped = [...expression.matchAll(/\b(?:by|on|without|ignoring) \(([^)]*)\)/g)].flatMap(
    ([, list = ""]) => list.split(",").map((label) => label.trim()),
  );
  const plain = expression
    .replaceAll(/\b(?:by|on|without|ignoring) \([^)]*\)/g, "")
    .replaceAll(/\[[^\]]*\]|\boffset \d+[mh]\b/g, "");
  const selectors = [...plain.matchAll(/([a-z_][a-z0-9_:]*)(\{[^}]*\})?/g)]
    .filter(([all]) => !all.startsWith("{"))
    .map(([, name = "", matchers = ""]) => ({
      name,
      labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"/g)].map(
        ([, label = ""]) => label,
      ),
    }));
  return { selectors: inQuotes(plain, selectors), grouped };
}

/** Without what stands between quotes, which are values of labels. */
function inQuotes(expression: string, selectors: readonly Selector[]): Selector[] {
  const bare = expression.replaceAll(/\{[^}]*\}/g, "");
  return selectors.filter(
    ({ name }) => new RegExp(`(?<![a-z0-9_:])${name}(?![a-z0-9_:])`).test(bare) && !WORDS.has(name),
  );
}

describe("Rules and dashboard for Prometheus and Grafana", () => {
  const alerts = readRules("alert-rules.yml");
  const records = readRules("recording-rules.yml");
  const recorded = new Map(records.map(({ record = "", expr }) => [record, expr]));
  const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(readFileSync(DASHBOARD, "utf8"));
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  const shown = targets.map(({ expr }) => expr);
  let metrics: readonly DescribedMetric[];
  before(async () => {
    metrics = await allMetrics();
  });

  const familyOf = (name: string) =>
    metrics.find(
      (each) =>
        each.name === name ||
        (each.type === "histogram" && name.replace(/_(bucket|sum|count)$/, "") === each.name),
    );

  /** Those of which a record is made that keeps their labels, or the one of this name. */
  const familiesOf = (name: string) => {
    const record = recorded.get(name);
    const names = record === undefined ? [name] : selectorsOf(record).selectors.map((each) => each.name);
    return names.map(familyOf).filter((family) => family !== undefined);
  };
  /** Whether a record is one figure of all, or one for each kind. */
  const isRecordedAsOne = (name: string) => recorded.has(name) && name.startsWith("interface:");

  function requireKnown(expression: string): void {
    const { selectors, grouped } = selectorsOf(expression);
    expect(selectors, expression).not.to.deep.equal([]);
    const labels = new Set(LABELS_OF_ALL);
    for (const { name, labels: asked } of selectors) {
      if (OF_PROMETHEUS.includes(name) || OF_NODE.test(name) || isRecordedAsOne(name)) continue;
      const [family] = familiesOf(name);
      expect(family, `${name} in ${expression}`).not.to.equal(undefined);
      for (const label of family?.labels ?? []) labels.add(label);
      for (const label of asked)
        expect([...LABELS_OF_ALL, ...(family?.labels ?? [])], expression).to.include(label);
      if (recorded.has(name)) continue;
      const isHistogram = family?.type === "histogram";
      expect(isHistogram, `${name} in ${expression}`).to.equal(/_(bucket|sum|count)$/.test(name));
    }
    for (const label of grouped) expect([...labels], expression).to.include(label);
  }

  it("are given metrics without labels that Prometheus uses itself", () => {
    for (const { name, labels } of metrics)
      for (const label of LABELS_OF_PROMETHEUS) expect(labels, name).to.not.include(label);
  });

  it("ask in the rules for existing metrics and labels", () => {
    for (const { expr } of [...alerts, ...records]) requireKnown(expr);
  });

  it("ask in the dashboard for existing metrics and labels, and show most metrics", () => {
    for (const expression of shown) requireKnown(expression);
    const names = new Set(
      shown.flatMap((expression) =>
        selectorsOf(expression).selectors.map(({ name }) => familyOf(name)?.name),
      ),
    );
    expect(names.size).to.be.greaterThan(30);
    for (const name of [
      "consent_uses_lost_total",
      "core_call_seconds",
      "http_protocol_errors_total",
      "own_certificate_end_timestamp_seconds",
      "tpp_register_findings_total",
    ])
      expect([...names]).to.include(name);
  });

  it("tell the processes of an instance apart in the dashboard", () => {
    for (const { expr, legendFormat } of targets.filter(
      (target) => !/\b(?:by|sum|max|min)\b/.test(target.expr),
    ))
      if (!isRecordedAsOne(expr)) expect(legendFormat, expr).to.match(/\{\{instance\}\}.*\{\{process\}\}/);
  });

  it("give each panel of the dashboard a place and a number of its own", () => {
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(places).size).to.equal(places.length);
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
  });

  it("ask for rates of counters, and never of values that go up and down", () => {
    for (const expression of [...shown, ...[...alerts, ...records].map(({ expr }) => expr)])
      for (const [, name = ""] of expression.matchAll(/(?:rate|increase)\(([a-z_:0-9]+)/g)) {
        const type = familyOf(name)?.type;
        const isCounted =
          type === "counter" || type === "histogram" || OF_NODE.test(name) || name === "event_feed_position";
        expect(isCounted, expression).to.equal(true);
      }
  });

  it("give each alert its own name, an urgency, a summary and a runbook", () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(labels?.severity, alert).to.be.oneOf(["page", "ticket"]);
      expect(annotations?.summary, alert).to.match(/^\S.{10,}$/);
      expect(annotations?.runbook.length, alert).to.be.greaterThan(60);
    }
  });

  it("are rejected by this test for unknown metrics and labels", () => {
    for (const wrong of [
      "rate(http_request_total[5m])",
      'redis_up{host="a"}',
      "sum by (code) (redis_up)",
      "job_duration_seconds > 1",
    ])
      expect(() => requireKnown(wrong), wrong).to.throw();
  });
});
