import { createCertificateMetrics, createJobMetrics, createLog, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { createConsentUseMetrics } from "../../../packages/auth/src/consent/use-metrics.ts";
import { createDeliveryMetrics } from "../../../packages/auth/src/delivery/delivery-metrics.ts";
import { createRateLimitMetrics } from "../../../packages/auth/src/limits/rate-limit-metrics.ts";
import { createLoginMetrics } from "../../../packages/auth/src/psu/upstream/login-metrics.ts";
import { createRegisterMetrics } from "../../../packages/auth/src/tpp-register/register-metrics.ts";
import { createCoreMetrics } from "../../../packages/resource/src/bank/http-connector/core-metrics.ts";
import { createExecutionMetrics } from "../../../packages/resource/src/execution/execution-metrics.ts";
import { createRefusalMetrics } from "../../../packages/resource/src/http/refusal-metrics.ts";
import { createPaymentMetrics } from "../../../packages/resource/src/payments/payment-metrics.ts";
import { createConnectionMetrics } from "../../../packages/service-edge/src/metrics/connection-metrics.ts";
import { readRules } from "../../../scripts/operations/rule-files.ts";

/** Where an alert asks the growth of a figure, and of which: its name, and what stands in braces. */
const ASKS_GROWTH = /\b(?:increase|rate)\(/g;
const GROWTH = /\b(?:increase|rate)\(([a-z_]+)(?:\{([^}]*)\})?\[/g;
/** One label of these, by one value or by several, or by those that it must not have. */
const MATCHER = /^(\w+)(=~?|!~)"([a-z|_-]+)"$/;
/** Counted for each call, statement of the database, or script of Redis: the latter again and again as long as it is away. */
const AGAIN_AND_AGAIN = [
  "http_request_duration_seconds_bucket",
  "database_statement_failures_total",
  "redis_failures_total",
];

/** One figure that an alert looks at, by the values of some of its labels. */
interface AskedSeries {
  readonly name: string;
  readonly labels: readonly string[];
  /** Values that it must not have. */
  readonly others: readonly string[];
}

/** A selector of several values of a label asks for a series each; one of values that a label must not have, for all others. */
function seriesOf(name: string, matchers: string): readonly AskedSeries[] {
  let labels: readonly (readonly string[])[] = [[]];
  const others: string[] = [];
  for (const matcher of matchers === "" ? [] : matchers.split(", ")) {
    const [, label, relation, values] = MATCHER.exec(matcher) ?? [];
    if (label === undefined || values === undefined)
      throw new TypeError(`${matcher} is not read by this test`);
    const each = values.split("|").map((value) => `${label}="${value}"`);
    if (relation === "!~") others.push(...each);
    else labels = labels.flatMap((known) => each.map((one) => [...known, one]));
  }
  return labels.map((each) => ({ name, labels: each, others }));
}

describe("Counters that alerts watch, before anything has happened", () => {
  let lines: readonly string[];
  before(async () => {
    const metrics = createMetrics("test");
    createCertificateMetrics(metrics);
    createConnectionMetrics(metrics)("mutual-tls");
    createConsentUseMetrics(metrics);
    createDeliveryMetrics(metrics);
    createExecutionMetrics(metrics, { run: async () => [] });
    createLoginMetrics(metrics);
    createPaymentMetrics(metrics);
    createRegisterMetrics(metrics);
    createRateLimitMetrics(metrics);
    createRefusalMetrics(metrics);
    createCoreMetrics(metrics, { circuits: () => [], waiting: () => 0 });
    const countJob = createJobMetrics(metrics, createLog("test", "silent"));
    for (const job of ["cleaning", "signings_taking", "signings_sweeping", "payment_consents"]) countJob(job);
    lines = (await metrics.present()).body.split("\n");
  });

  const alerts = readRules("alert-rules.yml");
  const growths = alerts.flatMap(({ alert = "", expr }) =>
    [...expr.matchAll(GROWTH)].map(([, name = "", matchers = ""]) => ({ alert, name, matchers })),
  );

  it("are all found by this test", () => {
    const asked = alerts.flatMap(({ expr }) => [...expr.matchAll(ASKS_GROWTH)]);
    expect(growths).to.have.length(asked.length);
  });

  for (const { alert, name, matchers } of growths.filter((each) => !AGAIN_AND_AGAIN.includes(each.name)))
    for (const { labels, others } of seriesOf(name, matchers))
      it(`are at 0 for ${alert}, so that the first ${name} {${labels}} counts as growth`, () => {
        const shown = lines.filter(
          (line) =>
            line.startsWith(`${name}{`) &&
            labels.every((label) => line.includes(label)) &&
            !others.some((label) => line.includes(label)),
        );
        expect(shown).not.to.deep.equal([]);
        for (const line of shown) expect(line).to.match(/ 0$/);
      });

  it("are also at 0 where they are shown by the hour", () => {
    for (const series of [
      'payment_entries_total{outcome="entered",service="test"} 0',
      'payment_approvals_total{outcome="taken",service="test"} 0',
      'payment_duration_seconds_count{service="test",state="completed"} 0',
      'tpp_register_findings_total{finding="withdrawn",service="test"} 0',
      'unavailable_total{part="core",service="test"} 0',
      'access_limits_total{limit="unattended",service="test"} 0',
      'rate_limited_total{limit="token_tpp",service="test"} 0',
      'job_rounds_total{name="cleaning",outcome="failed",service="test"} 0',
      'core_calls_total{operation="order",outcome="core_timed_out",service="test"} 0',
      'admission_refusals_total{code="certificate_revoked",service="test"} 0',
      'admission_refusals_total{code="certificate_blocked",service="test"} 0',
      'admission_refusals_total{code="token_wrong_audience",service="test"} 0',
      'admission_refusals_total{code="consent_ended",service="test"} 0',
      'revocation_answers_total{source="ocsp",outcome="failed",service="test"} 0',
      'executions_total{outcome="unknown",service="test"} 0',
    ])
      expect(lines).to.include(series);
  });
});
