import { CertificateRefusal } from "@cobs/psd2-certificates";
import type { CertificateMetrics, Clock, IncomingCall, RefusedCertificates } from "@cobs/service-edge";
import { TppRefusal } from "./tpp-refusal.ts";

/** Parts that record refusals. */
export interface NoteParts {
  /** Store that answers why a certificate was refused. */
  readonly refusals: Pick<RefusedCertificates, "record">;
  readonly metrics: Pick<CertificateMetrics, "refused">;
  readonly clock: Clock;
}

/** Runs a proof about the certificate of a request; counts, keeps and rethrows its refusal. */
export type NoteRefusals = <T>(call: IncomingCall, prove: () => Promise<T>) => Promise<T>;

/** Creates the single way to note refused certificates and TPPs. */
export function createRefusalNotes(parts: NoteParts): NoteRefusals {
  return async (call, prove) => {
    try {
      return await prove();
    } catch (error) {
      if (error instanceof CertificateRefusal || error instanceof TppRefusal) note(parts, call, error);
      throw error;
    }
  };
}

function note(parts: NoteParts, call: IncomingCall, refusal: CertificateRefusal | TppRefusal): void {
  const { presentedCertificate: presented, requestId, callerRequestId } = call;
  const { code, detail } = refusal;
  parts.metrics.refused(code);
  if (presented === undefined) return;
  parts.refusals.record({
    requestId,
    callerRequestId,
    at: parts.clock.now(),
    code,
    detail,
    presented,
  });
}
