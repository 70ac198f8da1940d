import { Gauge } from "prom-client";
import { parseCertificates } from "../configuration/key-files.ts";
import type { Log } from "../log/log.ts";
import { findOtherTime } from "../tls/certificate-time.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Gives what is told of the certificate that is shown from now on, as the PEM of its file. */
export type ShowCertificate = (certificate: string) => (pem: string) => void;

/**
 * Adds to the figures of a process until when the certificates are valid with which it shows itself, and says in the log of one
 * whose time is another; once per process.
 */
export function createOwnCertificateMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  log: Pick<Log, "error">,
): ShowCertificate {
  const ends = new Gauge({
    name: "own_certificate_end_timestamp_seconds",
    help: "Until when a certificate is valid that the process shows, or what ends first of its chain: of a listener by its name, or bank-client.",
    labelNames: ["certificate"] as const,
    registers: [registry],
  });
  return (certificate) => (pem) => {
    const chain = parseCertificates(pem, certificate);
    const otherTime = findOtherTime(chain);
    if (otherTime !== undefined)
      log.error(
        { certificate, detail: `it is ${otherTime}` },
        "a certificate is shown that everybody refuses",
      );
    ends.set({ certificate }, Math.min(...chain.map(({ validTo }) => Date.parse(validTo))) / 1000);
  };
}
