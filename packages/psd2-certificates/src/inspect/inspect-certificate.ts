import type { CertificateCheck, Knowledge } from "../certificate-check.ts";
import { certificateChecks } from "../certificate-checks.ts";
import { attempt } from "../outcome.ts";
import type { PresentedCertificate } from "../presented-certificate.ts";
import type { RevocationStanding } from "../revocation/revocation-standing.ts";
import type { TrustAnchors } from "../trust-anchors.ts";
import { factsOf } from "./certificate-facts.ts";
import type { CertificateReport } from "./certificate-report.ts";
import { presentTime } from "./present-path.ts";
import { type Look, type LookResult, reportCheck } from "./report-check.ts";

/** Anchors, time and revocation answer for an inspection. */
export interface InspectionOptions {
  readonly anchors: TrustAnchors;
  readonly now: Date;
  /** What is already known about its revocation; if absent, revocation is not checked. */
  readonly revocation?: RevocationStanding;
}

/**
 * Runs every check on a certificate, whatever is wrong with it; throws nothing, whatever the bytes are. The checks are those
 * of the verifier, so the first that fails has the code with which the verifier refuses. It remembers nothing and builds the
 * path anew: it is for people, not for requests.
 */
export function inspectCertificate(
  presented: PresentedCertificate | undefined,
  { anchors: { anchors }, now, revocation = { kind: "not_asked" } }: InspectionOptions,
): CertificateReport {
  const { known, looks } = lookAtAll({ shown: presented, anchors, now, revocation });
  const checks = looks.map((look) => reportCheck(look, known));
  const code = checks.find(({ outcome }) => outcome === "failed")?.code;
  const facts = factsOf(known, now);
  return {
    accepted: code === undefined,
    ...(code && { code }),
    at: presentTime(now.getTime()),
    ...(facts && { facts }),
    checks,
  };
}

/** Runs all checks. One that refuses adds nothing to what is known, so checks that need its result are not reached. */
function lookAtAll(start: Partial<Knowledge>) {
  let known = start;
  const looks: Look[] = [];
  for (const check of certificateChecks) {
    const outcome = isAnswerable(check, known) ? attempt(() => check.look(known)) : undefined;
    if (outcome?.accepted) known = outcome.value;
    looks.push({ name: check.name, result: resultOf(outcome) });
  }
  return { known, looks };
}

/** Whether a check can run. If revocation was not asked, or not answered, the last check is not reached. */
function isAnswerable(check: CertificateCheck, known: Partial<Knowledge>): boolean {
  const isSilent = known.revocation?.kind === "not_asked" || known.revocation?.kind === "unavailable";
  return check.canLook(known) && !(check.name === "revocation" && isSilent);
}

function resultOf(outcome: ReturnType<typeof attempt<Partial<Knowledge>>> | undefined): LookResult {
  if (outcome === undefined) return { outcome: "not_reached" };
  if (outcome.accepted) return { outcome: "passed" };
  return { outcome: "failed", code: outcome.code, detail: outcome.detail };
}
