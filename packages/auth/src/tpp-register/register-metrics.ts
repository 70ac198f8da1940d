import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import { type RegisterFinding, registerFindings } from "./register-finding.ts";
import type { RegisterRefusalCode } from "./register-refusal.ts";

type CheckOutcome = "finished" | RegisterRefusalCode;

const OUTCOMES: readonly CheckOutcome[] = [
  "finished",
  "register_missing",
  "register_unreadable",
  "register_old",
];

/** Metrics of the checks that this process made. */
export interface RegisterMetrics {
  checked(outcome: CheckOutcome): void;
  found(finding: RegisterFinding): void;
  /** Counts a TPP whose authorisation has ended and that is not blocked. */
  served(): void;
}

/** Creates the metrics of the register's checks; once per process. */
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
    help: "TPPs by what the TPP register says of them, counted once a day each.",
    labelNames: ["finding"] as const,
    registers,
  });
  const served = new Counter({
    name: "tpp_register_served_total",
    help: "Unblocked TPPs whose authorisation has ended according to the register, counted once a day each.",
    registers,
  });
  // An alert can see the first event, or that there was none, only if the counter existed before.
  for (const outcome of OUTCOMES) checks.inc({ outcome }, 0);
  for (const finding of Object.keys(registerFindings)) findings.inc({ finding }, 0);
  return {
    checked: (outcome) => checks.inc({ outcome }),
    found: (finding) => findings.inc({ finding }),
    served: () => served.inc(),
  };
}
