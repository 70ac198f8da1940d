import type { X509Certificate } from "node:crypto";
import { Gauge } from "prom-client";
import { parseCertificates } from "../configuration/key-files.ts";
import type { Log } from "../log/log.ts";
import { findAuthoritiesAbove } from "../tls/authorities-above.ts";
import { endOfChain, findTimeDoubt } from "../tls/certificate-time.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/**
 * Returns a function that is called with the PEM of the certificate shown from now on, as in its file. Where it is for the bank's
 * own services, `authority` is the PEM of the authorities by which they judge each other.
 */
export type ShowCertificate = (certificate: string, authority?: string) => (pem: string) => void;

type Shown = Readonly<Record<"chain" | "above", readonly X509Certificate[]>>;

const DAY_MILLISECONDS = 86_400_000;

/**
 * Adds to the metrics of a process when the certificates that it shows expire; once per process. Logs any that is not valid
 * now or expires soon, or whose authority does, both when it is first shown and every day.
 */
export function createOwnCertificateMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  log: Pick<Log, "error" | "warn">,
  againMilliseconds = DAY_MILLISECONDS,
): ShowCertificate {
  const ends = new Gauge({
    name: "own_certificate_end_timestamp_seconds",
    help: "Earliest end of validity of the certificate that the process presents and its chain and, for the bank's own services, the authorities above it; labelled with the listener's name, or bank-client.",
    labelNames: ["certificate"] as const,
    registers: [registry],
  });
  const shown = new Map<string, Shown>();
  const tell = ({ chain, above }: Shown, certificate: string) => {
    const doubt = findTimeDoubt(chain, above);
    if (doubt === undefined) return;
    const { isRefused, whose } = doubt;
    const detail = `${whose === "own" ? "it" : "its authority in BANK_AUTHORITY_FILE"} is ${doubt.detail}`;
    if (isRefused)
      log.error({ certificate, detail }, "this service presents a certificate that others refuse");
    else
      log.warn({ certificate, detail }, "this service presents a certificate that others will soon refuse");
  };
  setInterval(() => shown.forEach(tell), againMilliseconds).unref();
  return (certificate, authority) => {
    const authorities = authority === undefined ? [] : parseCertificates(authority, "BANK_AUTHORITY_FILE");
    return (pem) => {
      const chain = parseCertificates(pem, certificate);
      const above = findAuthoritiesAbove(chain, authorities) ?? [];
      shown.set(certificate, { chain, above });
      tell({ chain, above }, certificate);
      ends.set({ certificate }, endOfChain([...chain, ...above]) / 1000);
    };
  };
}
