import { certificateRefusalMeanings, RevocationUnavailable } from "@cobs/psd2-certificates";
import {
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
  type ProcessMetrics,
} from "@cobs/service-edge";
import { Counter } from "prom-client";
import { AdmissionRefusal, BLOCK_CODES, CALL_CODES } from "../admission/admission-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { UNUSABLE_TOKEN_CODES } from "../introspection/token-introspection.ts";
import { LimitRefusal, type LimitRefusalCode } from "../limits/limit-refusal.ts";
import { isTemporary } from "./is-temporary.ts";

/** The mapping from an error to its answer. */
type PresentError = (error: unknown, call: FailedCall) => PresentedError;

/** The parties whose silence makes a call end with 503. */
const PARTS = ["auth", "core", "database", "revocation"] as const;

type MissingPart = (typeof PARTS)[number];

/** Codes of refused certificates, those on the stop list included. */
export const CERTIFICATE_CODES: readonly string[] = [
  ...Object.keys(certificateRefusalMeanings),
  ...BLOCK_CODES,
];

/** Table: the name of each limit in the metrics. */
const LIMITS: Readonly<Record<LimitRefusalCode, string>> = {
  access_limit: "unattended",
  balance_check_limit: "balance_checks",
  calls_at_once: "calls_at_once",
  card_consent_limit: "card_consents",
  payment_limit: "payments",
};

/**
 * Adds the reasons of refused TPP calls to the metrics of a process, and gives the same mapping, which now counts; call it
 * once per process. Calls that are answered cost nothing.
 */
export function countRefusals(
  present: PresentError,
  metrics: Pick<ProcessMetrics, "registry">,
): PresentError {
  const { admissions, limits, missing } = createRefusalMetrics(metrics);
  return (error, call) => {
    if (error instanceof AdmissionRefusal) admissions.inc({ code: error.code });
    else if (error instanceof LimitRefusal) limits.inc({ limit: LIMITS[error.code] });
    else if (isTemporary(error)) missing.inc({ part: missingPart(error) });
    return present(error, call);
  };
}

/** Adds the metrics themselves; once per process. */
export function createRefusalMetrics({ registry }: Pick<ProcessMetrics, "registry">) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers });
  const limits = counter(
    "access_limits_total",
    "Calls refused because a limit was exceeded: accesses without the PSU, balance checks, look-ups of consents to card issuers, payments entered, calls at once.",
    "limit",
  );
  const missing = counter(
    "unavailable_total",
    "Calls answered with 503, by the part that was unavailable.",
    "part",
  );
  const admissions = counter("admission_refusals_total", "Calls not admitted, by reason.", "code");
  // The first event shows as growth only if there was a value before it.
  for (const code of [...CERTIFICATE_CODES, ...UNUSABLE_TOKEN_CODES, ...CALL_CODES])
    admissions.inc({ code }, 0);
  for (const limit of Object.values(LIMITS)) limits.inc({ limit }, 0);
  for (const part of PARTS) missing.inc({ part }, 0);
  return { admissions, limits, missing };
}

function missingPart(error: unknown): MissingPart {
  if (error instanceof CoreUnavailable) return "core";
  if (error instanceof RevocationUnavailable) return "revocation";
  return isDatabaseUnavailable(error) ? "database" : "auth";
}
