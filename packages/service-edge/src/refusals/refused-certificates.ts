import type { PresentedCertificate } from "../tls/presented-certificate.ts";

/** A certificate that was refused, with what is needed to explain it later. */
export interface RefusedCertificate {
  /** Ours, unique per call. */
  readonly requestId: string;
  /** What the caller named its call, when it did; not unique. */
  readonly callerRequestId: string | undefined;
  readonly at: Date;
  readonly code: string;
  readonly detail: string;
  readonly presented: PresentedCertificate;
}

/**
 * The certificates that were refused lately, for people who ask why. Strangers choose how many there are: a process
 * keeps few at once, writes them in batches, and only the newest stay.
 */
export interface RefusedCertificates {
  /** Never waits and never fails: what cannot be kept is lost, and counted. */
  record(refused: RefusedCertificate): void;
  /** By our request id or the caller's, newest first, at most 20; of every process. */
  find(requestId: string): Promise<readonly RefusedCertificate[]>;
}
