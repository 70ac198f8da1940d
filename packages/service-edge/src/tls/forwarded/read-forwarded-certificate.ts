import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { headerValues } from "../../http/header-values.ts";
import type { Log } from "../../log/log.ts";
import type { CountCache } from "../../metrics/cache-metrics.ts";
import type { PresentedCertificate } from "../presented-certificate.ts";
import { ForwardedFault } from "./forwarded-certificate.ts";
import type { ForwardedHeader } from "./forwarded-formats.ts";

/** Returns the certificate of a call; undefined if it has none. */
export type ReadPresentedCertificate = (request: IncomingMessage) => PresentedCertificate | undefined;

/** A certificate of no bytes, which every verifier refuses as malformed. */
const UNREADABLE: PresentedCertificate = Object.freeze({
  der: Buffer.alloc(0),
  intermediates: [],
  tlsVerdict: undefined,
});

/** Room for some thousands of genuine certificates; strangers can only push out what is quickly read again. */
const MAX_REMEMBERED_CHARACTERS = 8_388_608;

/**
 * Reads the certificate that a proxy forwards in the header of its format. The connection must be known to be the proxy's.
 * Everything about the certificate is still to be verified, except that the TPP has its key: the proxy has seen that in its
 * own handshake, and nobody can prove it a second time.
 *
 * Returns the same object for the same text, so that verifiers can remember their findings. A header that comes twice, or does
 * not match its format exactly, gives an unreadable certificate. Look-ups are counted in `forwarded_certificates`.
 */
export function readForwardedCertificate(
  format: ForwardedHeader,
  { log, countCache }: { readonly log: Log; readonly countCache?: CountCache },
): ReadPresentedCertificate {
  const recall = rememberByText(format, countCache);
  return (request) => {
    const certificates = headerValues(request, format.certificate);
    if (certificates.length === 0) return undefined;
    const chains = format.chain === undefined ? [] : headerValues(request, format.chain);
    try {
      return recall(requireSingle(certificates) ?? "", requireSingle(chains));
    } catch (error) {
      if (!(error instanceof ForwardedFault)) throw error;
      const { detail } = error;
      log.warn({ header: format.certificate, detail }, "the certificate of a proxy cannot be read");
      return UNREADABLE;
    }
  };
}

function requireSingle(values: readonly string[]): string | undefined {
  if (values.length > 1) throw new ForwardedFault("a header is repeated");
  return values[0];
}

/** A header value holds no line break, so no two pairs of texts share a key. */
function rememberByText(
  { parse }: ForwardedHeader,
  countCache: CountCache | undefined,
): (certificate: string, chain: string | undefined) => PresentedCertificate {
  const remembered = new LRUCache<string, PresentedCertificate>({
    maxSize: MAX_REMEMBERED_CHARACTERS,
    sizeCalculation: (_presented, key) => key.length,
  });
  const counted = countCache?.("forwarded_certificates", () => remembered.size);
  return (certificate, chain) => {
    const key = `${certificate}\n${chain ?? ""}`;
    const known = remembered.get(key);
    if (known !== undefined) {
      counted?.hit();
      return known;
    }
    counted?.missed();
    const presented = Object.freeze({ ...parse(certificate, chain), tlsVerdict: undefined });
    remembered.set(key, presented);
    return presented;
  };
}
