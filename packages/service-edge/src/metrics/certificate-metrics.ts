import { Counter, Gauge } from "prom-client";
import { ISSUERS_OF_REFUSED, type IssuerOfRefused } from "../refusals/refused-certificates.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Outcome of one question about revocation, or of one call, in the form of a verification's events. */
export type ObservedRevocation =
  | { readonly kind: "answer"; readonly source: string; readonly outcome: string }
  | { readonly kind: "decision"; readonly decision: string };

/** Metrics about the certificates of TPPs. */
export interface CertificateMetrics {
  /** Counts a refused certificate; codes are a closed list. */
  refused(code: string): void;
  /** Counts refusals that were not kept for later explanation. */
  refusalsLost(issuer: IssuerOfRefused, count: number): void;
  revocation(event: ObservedRevocation): void;
  /** Sets the revision and number of the trust anchors now in force, as in their file. */
  anchors(inForce: { readonly revision: number; readonly count: number }): void;
  /** Records that a changed file of trust anchors was refused, until {@link anchors} is called. */
  anchorsRefused(): void;
}

/** Revocation decisions about a call, as in psd2-certificates. */
const DECISIONS = ["good", "revoked", "grace", "unavailable"];

/** Outcomes of one question about revocation, by where it is asked, as in psd2-certificates. */
const SOURCES = ["ocsp", "crl"];
const ANSWERS = ["good", "revoked", "unknown", "failed"];

/**
 * Adds the metrics about certificates to those of a process; once per process. `codes` are those of refusals, which begin at 0.
 */
export function createCertificateMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  codes: readonly string[] = [],
): CertificateMetrics {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const refusals = counter("certificate_refusals_total", "Refused TPP certificates, by reason.", ["code"]);
  const lost = counter(
    "certificate_refusals_lost_total",
    "Certificate refusals that were not stored and cannot be looked up, by whether the issuer is known.",
    ["issuer"],
  );
  const answers = counter("revocation_answers_total", "Requests to OCSP responders and for CRLs.", [
    "source",
    "outcome",
  ]);
  // All start at 0, because the first event shows as growth only after an earlier figure.
  for (const code of codes) refusals.inc({ code }, 0);
  for (const issuer of ISSUERS_OF_REFUSED) lost.inc({ issuer }, 0);
  for (const source of SOURCES) for (const outcome of ANSWERS) answers.inc({ source, outcome }, 0);
  const decisions = new Map(DECISIONS.map((decision) => [decision, 0]));
  new Counter({
    name: "revocation_decisions_total",
    help: "Decisions of the revocation check on calls.",
    labelNames: ["decision"] as const,
    registers,
    // A decision is counted on every call, so its labels are resolved only when the metrics are read.
    collect() {
      this.reset();
      for (const [decision, count] of decisions) this.inc({ decision }, count);
    },
  });
  const revision = gauge("trust_anchors_revision", "Revision of the trust anchors in force.");
  const anchors = gauge("trust_anchors", "Number of trust anchors in force.");
  const anchorRefusals = counter("trust_anchor_refusals_total", "Trust anchor files that were not loaded.");
  const isRefused = gauge(
    "trust_anchors_file_refused",
    "1 while the current trust anchor file is refused, else 0.",
  );
  return {
    refused: (code) => refusals.inc({ code }),
    refusalsLost: (issuer, count) => lost.inc({ issuer }, count),
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
