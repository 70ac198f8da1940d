import type { X509Certificate } from "node:crypto";
import { Gauge } from "prom-client";
import { parseCertificates } from "../configuration/key-files.ts";
import type { Log } from "../log/log.ts";
import { endOfChain, findOtherTime, findSoonEnd } from "../tls/certificate-time.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Gives what is told of the certificate that is shown from now on, as the PEM of its file. */
export type ShowCertificate = (certificate: string) => (pem: string) => void;

const DAY_MILLISECONDS = 86_400_000;

/**
 * Adds to the figures of a process until when the certificates are valid with which it shows itself, and says in the log of one
 * whose time is another, or ends soon, when it is shown and every day; once per process.
 */
export function createOwnCertificateMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  log: Pick<Log, "error" | "warn">,
  againMilliseconds = DAY_MILLISECONDS,
): ShowCertificate {
  const ends = new Gauge({
    name: "own_certificate_end_timestamp_seconds",
    help: "Until when a certificate is valid that the process shows, or what ends first of its chain: of a listener by its name, or bank-client.",
    labelNames: ["certificate"] as const,
    registers: [registry],
  });
  const shown = new Map<string, readonly X509Certificate[]>();
  const tell = (chain: readonly X509Certificate[], certificate: string) => {
    const [otherTime, soonEnd] = [findOtherTime(chain), findSoonEnd(chain)];
    const detail = `it is ${otherTime ?? soonEnd}`;
    if (otherTime !== undefined)
      log.error({ certificate, detail }, "a certificate is shown that everybody refuses");
    else if (soonEnd !== undefined)
      log.warn({ certificate, detail }, "a certificate is shown that ends soon");
  };
  setInterval(() => shown.forEach(tell), againMilliseconds).unref();
  return (certificate) => (pem) => {
    const chain = parseCertificates(pem, certificate);
    shown.set(certificate, chain);
    tell(chain, certificate);
    ends.set({ certificate }, endOfChain(chain) / 1000);
  };
}
