import type { Certificate } from "./x509/certificate.ts";

/** A service of a qualified trust service provider under which certificates are trusted: an issuing or a root authority. */
export interface TrustAnchor {
  readonly serviceName: string;
  /** When the service became qualified. */
  readonly from: Date;
  /** When it ceased to be, exclusive; undefined while it is. */
  readonly until: Date | undefined;
  /** For the authorities of a TLS listener. */
  readonly pem: string;
  readonly certificate: Certificate;
}

/** A whole anchor file. It is for one environment, so that test and production authorities never meet in one process. */
export interface TrustAnchors {
  readonly environment: "sandbox" | "production";
  /** Version of the file format. */
  readonly version: 1;
  /** Revision of the contents, increased with each reviewed change, so that an older file can be told from a newer one. */
  readonly revision: number;
  readonly anchors: readonly TrustAnchor[];
}

/** An anchor file that cannot be used, with every fault in it, each a sentence that starts with its place. */
export class TrustAnchorFileError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The trust anchor file has ${faults.length} fault(s): ${faults.join("; ")}`);
    this.name = "TrustAnchorFileError";
    this.faults = faults;
  }
}
