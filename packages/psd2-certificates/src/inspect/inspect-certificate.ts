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

/** What a certificate is inspected against. */
export interface InspectionOptions {
  readonly anchors: TrustAnchors;
  readonly now: Date;
  /** What others found out about its revocation; not asked when absent. */
  readonly revocation?: RevocationStanding;
}

/**
 * Looks at everything about a certificate, whatever is wrong with it; throws nothing, whatever the bytes are. The checks
 * are those of the verifier, so that the first that fails has the code that the verifier refuses with. It remembers
 * nothing and builds the path anew: it is for people, not for requests.
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

/** A check that refuses adds nothing to what is known; those that need it are not reached. */
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

/** Nobody has asked, or nobody has answered: then the last check was not reached. */
function isAnswerable(check: CertificateCheck, known: Partial<Knowledge>): boolean {
  const isSilent = known.revocation?.kind === "not_asked" || known.revocation?.kind === "unavailable";
  return check.canLook(known) && !(check.name === "revocation" && isSilent);
}

function resultOf(outcome: ReturnType<typeof attempt<Partial<Knowledge>>> | undefined): LookResult {
  if (outcome === undefined) return { outcome: "not_reached" };
  if (outcome.accepted) return { outcome: "passed" };
  return { outcome: "failed", code: outcome.code, detail: outcome.detail };
}
