import { Counter, Gauge } from "prom-client";
import type { ProcessMetrics } from "./process-metrics.ts";

/** What became of one question about revocation, or of one call: the events of a verification, by their shape. */
export type ObservedRevocation =
  | { readonly kind: "answer"; readonly source: string; readonly outcome: string }
  | { readonly kind: "decision"; readonly decision: string };

/** What an operator sees of the certificates of TPPs. */
export interface CertificateMetrics {
  /** A certificate was refused; codes are a closed list. */
  refused(code: string): void;
  /** Refusals that were not kept for those who ask why. */
  refusalsLost(count: number): void;
  revocation(event: ObservedRevocation): void;
  /** The trust anchors that are in force from now on, as their file has them. */
  anchors(inForce: { readonly revision: number; readonly count: number }): void;
  /** A changed file of trust anchors was not taken up: it stays refused until {@link anchors} are told. */
  anchorsRefused(): void;
}

/** What revocation can mean for a call, as psd2-certificates has it. */
const DECISIONS = ["good", "revoked", "grace", "unavailable"];

/** Adds the figures about certificates to those of a process; once per process. */
export function createCertificateMetrics({ registry }: Pick<ProcessMetrics, "registry">): CertificateMetrics {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const refusals = counter("certificate_refusals_total", "Refused certificates of TPPs.", ["code"]);
  const lost = counter("certificate_refusals_lost_total", "Refusals that cannot be looked up.");
  const answers = counter("revocation_answers_total", "Questions to OCSP responders and for CRLs.", [
    "source",
    "outcome",
  ]);
  // An alert sees the first one only if there was a figure before it.
  const decisions = new Map(DECISIONS.map((decision) => [decision, 0]));
  new Counter({
    name: "revocation_decisions_total",
    help: "What revocation meant for calls.",
    labelNames: ["decision"] as const,
    registers,
    // Decided on every call: labels are looked up when somebody asks for the figures.
    collect() {
      this.reset();
      for (const [decision, count] of decisions) this.inc({ decision }, count);
    },
  });
  const revision = gauge("trust_anchors_revision", "Revision of the trust anchors in force.");
  const anchors = gauge("trust_anchors", "How many trust anchors are in force.");
  const anchorRefusals = counter("trust_anchor_refusals_total", "Trust anchor files that were not taken up.");
  const isRefused = gauge(
    "trust_anchors_file_refused",
    "1 while the trust anchor file is not taken up as it is, else 0.",
  );
  return {
    refused: (code) => refusals.inc({ code }),
    refusalsLost: (count) => lost.inc(count),
    revocation: (event) => {
      if (event.kind === "decision") decisions.set(event.decision, (decisions.get(event.decision) ?? 0) + 1);
      else answers.inc({ source: event.source, outcome: event.outcome });
    },
    anchors: (inForce) => {
      revision.set(inForce.revision);
      anchors.set(inForce.count);
      isRefused.set(0);
    },
    anchorsRefused: () => {
      anchorRefusals.inc();
      isRefused.set(1);
    },
  };
}
