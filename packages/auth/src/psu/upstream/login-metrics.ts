import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import { UPSTREAM_REFUSAL_CODES, type UpstreamRefusalCode } from "./upstream-refusal.ts";

/** Metrics of the answers with which PSUs come back from the bank's provider. */
export interface LoginMetrics {
  answered(outcome: UpstreamRefusalCode | "accepted"): void;
}

/** Adds the answers of the bank's provider to the metrics of a process; once per process. */
export function createLoginMetrics({ registry }: Pick<ProcessMetrics, "registry">): LoginMetrics {
  const answers = new Counter({
    name: "login_answers_total",
    help: "Answers of the bank's OpenID provider, by outcome: accepted, or why they were refused.",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  // From the start of the process, so that its first refusal shows as an increase.
  for (const outcome of ["accepted", ...UPSTREAM_REFUSAL_CODES]) answers.inc({ outcome }, 0);
  return { answered: (outcome) => answers.inc({ outcome }) };
}
