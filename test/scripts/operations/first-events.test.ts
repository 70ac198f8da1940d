import { createCertificateMetrics, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { createRegisterMetrics } from "../../../packages/auth/src/tpp-register/register-metrics.ts";
import { createExecutionMetrics } from "../../../packages/resource/src/execution/execution-metrics.ts";
import { createPaymentMetrics } from "../../../packages/resource/src/payments/payment-metrics.ts";
import { createConnectionMetrics } from "../../../packages/service-edge/src/metrics/connection-metrics.ts";
import { readRules } from "../../../scripts/operations/rule-files.ts";

/** What an alert asks the growth of, by one value of one label or by several. */
const GROWTH = /\b(?:increase|rate)\(([a-z_]+)(?:\{(\w+)=~?"([a-z|_]+)"\})?\[/g;
/** Counted for each statement of the database, or script of Redis, and again and again as long as it is away. */
const AGAIN_AND_AGAIN = ["database_statement_failures_total", "redis_failures_total"];

describe("Counters that an alert looks at, before anything has happened", () => {
  let lines: readonly string[];
  before(async () => {
    const metrics = createMetrics("test");
    createCertificateMetrics(metrics);
    createConnectionMetrics(metrics)("mutual-tls");
    createExecutionMetrics(metrics, { run: async () => [] });
    createPaymentMetrics(metrics);
    createRegisterMetrics(metrics);
    lines = (await metrics.present()).body.split("\n");
  });

  const asked = readRules("alert-rules.yml").flatMap(({ alert = "", expr }) =>
    [...expr.matchAll(GROWTH)]
      .filter(([, name = ""]) => !AGAIN_AND_AGAIN.includes(name))
      .map(([, name = "", label, values = ""]) => ({ alert, name, label, values: values.split("|") })),
  );

  for (const { alert, name, label, values } of asked)
    it(`are at 0 for ${alert}, so that the first ${name} {${label ?? ""} ${values}} is growth`, () => {
      for (const value of values) {
        const shown = lines.filter(
          (line) =>
            line.startsWith(`${name}{`) && (label === undefined || line.includes(`${label}="${value}"`)),
        );
        expect(shown, value).not.to.deep.equal([]);
        for (const line of shown) expect(line).to.match(/ 0$/);
      }
    });

  it("are at 0 too where they are shown by the hour", () => {
    for (const series of [
      'payment_entries_total{outcome="entered",service="test"} 0',
      'payment_approvals_total{outcome="taken",service="test"} 0',
      'payment_duration_seconds_count{service="test",state="completed"} 0',
      'tpp_register_findings_total{finding="withdrawn",service="test"} 0',
    ])
      expect(lines).to.include(series);
  });
});
