import { createGuardedFetch, type OutsideQuestion } from "../client/guarded-fetch.ts";
import { watchFile } from "../configuration/watch-file.ts";
import {
  type CertificateMetrics,
  createCertificateMetrics,
  type ObservedRevocation,
} from "../metrics/certificate-metrics.ts";
import {
  createRefusedCertificates,
  type OpenRefusedCertificates,
} from "../refusals/refused-certificates-postgres.ts";
import type { ServiceParts } from "./open-service.ts";

/** Outcome of a question about revocation, or of a call. */
export type ToldRevocation = ObservedRevocation & { readonly detail?: string };

/** How this process checks revocation, in the form that certificate verification takes. */
export interface RevocationWay {
  readonly fetch: (question: OutsideQuestion) => Promise<Buffer>;
  readonly monotonicMilliseconds: () => number;
  readonly cacheSeconds: number;
  readonly graceSeconds: number;
  readonly onEvent: (event: ToldRevocation) => void;
}

/** Everything that a service needs for the certificates of TPPs, except their verification. */
export interface CertificateParts {
  readonly metrics: CertificateMetrics;
  readonly refusals: OpenRefusedCertificates;
  /** Undefined if revocation is not checked, which only the sandbox allows. */
  readonly revocation: RevocationWay | undefined;
}

/**
 * Opens the parts; the lifecycle closes them, and writes the last refusals before the database closes. `codes` are all with
 * which the service refuses certificates.
 */
export function openCertificateParts(parts: ServiceParts, codes: readonly string[]): CertificateParts {
  const { database, clock, log, lifecycle } = parts;
  const metrics = createCertificateMetrics(parts.metrics, codes);
  const refusals = createRefusedCertificates({ database, clock, log, onLost: metrics.refusalsLost });
  lifecycle.onStop("refused certificates", () => refusals.stop());
  return { metrics, refusals, revocation: openRevocation(parts, metrics) };
}

function openRevocation(parts: ServiceParts, metrics: CertificateMetrics): RevocationWay | undefined {
  const { edge, clock, lifecycle, log, outgoing } = parts;
  if (edge.revocation.kind === "off") return undefined;
  const { cacheSeconds, graceSeconds, allowsPrivateAddresses } = edge.revocation;
  const guarded = createGuardedFetch({ allowsPrivateAddresses });
  lifecycle.onStop("questions about revocation", () => guarded.close());
  const onEvent = (event: ToldRevocation) => {
    metrics.revocation(event);
    if (event.kind === "answer" && event.outcome === "failed")
      log.warn({ source: event.source, detail: event.detail }, "a revocation source gave no usable answer");
  };
  const { monotonicMilliseconds } = clock;
  const askResponder = outgoing.ofFetch(guarded.fetch, "ocsp");
  const fetchList = outgoing.ofFetch(guarded.fetch, "crl");
  const fetch = (question: OutsideQuestion) =>
    question.body === undefined ? fetchList(question) : askResponder(question);
  return { fetch, monotonicMilliseconds, cacheSeconds, graceSeconds, onEvent };
}

/** The members of trust anchors that matter for replacing their file. */
export interface ReviewedAnchors {
  readonly environment: string;
  /** Increased by the person who reviews a change. */
  readonly revision: number;
  readonly anchors: readonly ReviewedAnchor[];
}

/** The reviewed facts of one anchor, without what verification derives from its certificate and adds to it in use. */
interface ReviewedAnchor {
  readonly serviceName: string;
  readonly from: Date;
  readonly until: Date | undefined;
  readonly pem: string;
}

/** A holder of replaceable anchors, such as a verifier. */
export interface AnchorHolder<A extends ReviewedAnchors> {
  anchors(): A;
  replaceAnchors(anchors: A): void;
}

/**
 * Takes up changes of the trust anchor file while the process runs. A file that is faulty, of another environment, or not of a
 * higher revision than the one in force changes nothing; the log and a metric report it.
 */
export function watchTrustAnchors<A extends ReviewedAnchors>(
  { edge, log, lifecycle }: ServiceParts,
  holder: AnchorHolder<A>,
  { parse, metrics }: { readonly parse: (text: string) => A; readonly metrics: CertificateMetrics },
): void {
  const tell = ({ revision, anchors }: A) => metrics.anchors({ revision, count: anchors.length });
  tell(holder.anchors());
  const watch = watchFile<A>({
    path: edge.trustAnchorsFile,
    parse,
    contentOf: reviewedContent,
    accept: whyNotTakenUp,
    current: holder.anchors(),
    onChange: (next) => {
      holder.replaceAnchors(next);
      tell(next);
      log.info({ revision: next.revision, count: next.anchors.length }, "trust anchors loaded");
    },
    onUnchanged: () => tell(holder.anchors()),
    onRefusal: (reason) => {
      metrics.anchorsRefused();
      log.error({ reason }, "the trust anchor file was refused; the former anchors stay in force");
    },
  });
  lifecycle.onStop("trust anchors", async () => watch.stop());
}

function reviewedContent({ environment, revision, anchors }: ReviewedAnchors): unknown {
  const reviewed = anchors.map(({ serviceName, from, until, pem }) => ({ serviceName, from, until, pem }));
  return { environment, revision, anchors: reviewed };
}

function whyNotTakenUp(next: ReviewedAnchors, current: ReviewedAnchors): string | undefined {
  if (next.environment !== current.environment)
    return `it holds ${next.environment} anchors, but this process runs with ${current.environment} ones`;
  if (next.revision < current.revision)
    return `its revision ${next.revision} is older than ${current.revision}, which is in force`;
  // Reviewers could not tell apart two contents with one revision.
  if (next.revision === current.revision)
    return `its revision ${next.revision} is already in force with different content; raise it`;
  return undefined;
}
