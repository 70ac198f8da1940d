import type { PresentedCertificate } from "../tls/presented-certificate.ts";

/** A refused certificate, with what is needed to explain the refusal later. */
export interface RefusedCertificate {
  /** Our unique id of the call. */
  readonly requestId: string;
  /** The caller's own name for the call, if given; not unique. */
  readonly callerRequestId: string | undefined;
  readonly at: Date;
  readonly code: string;
  readonly detail: string;
  readonly presented: PresentedCertificate;
}

/** Whether an authority that auth and resource know has vouched for a refused certificate; anybody can make one of an unknown. */
export const ISSUERS_OF_REFUSED = ["known", "unknown"] as const;
export type IssuerOfRefused = (typeof ISSUERS_OF_REFUSED)[number];

/**
 * Recently refused certificates, for people who ask why. Strangers choose how many there are, so a process keeps few at once
 * and writes them in batches, and only the newest stay.
 */
export interface RefusedCertificates {
  /** Records a refusal without waiting or failing: what cannot be kept is lost, and counted. */
  record(refused: RefusedCertificate): void;
  /** Finds refusals of all processes by our request id or the caller's, newest first, at most 20. */
  find(requestId: string): Promise<readonly RefusedCertificate[]>;
}
