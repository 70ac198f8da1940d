import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import type { RegisterFinding } from "./register-finding.ts";
import type { RegisterRefusalCode } from "./register-refusal.ts";

/** What an operator sees of the checks that this process has made. */
export interface RegisterMetrics {
  checked(outcome: "finished" | RegisterRefusalCode): void;
  found(finding: RegisterFinding): void;
}

/** Adds the figures of the register's checks to those of a process; once per process. */
export function createRegisterMetrics({ registry }: Pick<ProcessMetrics, "registry">): RegisterMetrics {
  const registers = [registry];
  const checks = new Counter({
    name: "tpp_register_checks_total",
    help: "Checks of the TPP register.",
    labelNames: ["outcome"] as const,
    registers,
  });
  const findings = new Counter({
    name: "tpp_register_findings_total",
    help: "What the TPP register said of TPPs, once a day for each.",
    labelNames: ["finding"] as const,
    registers,
  });
  return {
    checked: (outcome) => checks.inc({ outcome }),
    found: (finding) => findings.inc({ finding }),
  };
}
