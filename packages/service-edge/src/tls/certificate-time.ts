import type { X509Certificate } from "node:crypto";

/** Describes the validity of the first certificate, if it is not valid now, so that everybody refuses it. */
export function findOtherTime([own]: readonly X509Certificate[]): string | undefined {
  if (own === undefined) return undefined;
  const from = new Date(own.validFrom);
  const until = new Date(own.validTo);
  const now = new Date();
  if (from <= now && now <= until) return undefined;
  return `valid from ${from.toISOString()} to ${until.toISOString()}, and not now`;
}

/** As long before the end as an alert of the documented rules. */
const SOON_MILLISECONDS = 14 * 86_400_000;

/** When the first certificate of a chain expires, in milliseconds since 1970. */
export function endOfChain(chain: readonly X509Certificate[]): number {
  return Math.min(...chain.map(({ validTo }) => Date.parse(validTo)));
}

/** Describes when a chain expires, if that is soon. */
function findSoonEnd(chain: readonly X509Certificate[]): string | undefined {
  const end = endOfChain(chain);
  return end - Date.now() > SOON_MILLISECONDS ? undefined : `valid until ${new Date(end).toISOString()}`;
}

/** Why a certificate is refused, or soon will be: by its own time, or by that of an authority without which nobody takes it. */
export interface TimeDoubt {
  readonly isRefused: boolean;
  readonly whose: "own" | "authority";
  /** From when to when, or until when, it is valid. */
  readonly detail: string;
}

/** What is to be said of the time of a chain that is shown, and of the authorities above it by which others judge it. */
export function findTimeDoubt(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): TimeDoubt | undefined {
  const ended = authorities.find((each) => findOtherTime([each]) !== undefined);
  const doubts = [
    { isRefused: true, whose: "own", detail: findOtherTime(chain) },
    { isRefused: true, whose: "authority", detail: ended && findOtherTime([ended]) },
    { isRefused: false, whose: "own", detail: findSoonEnd(chain) },
    { isRefused: false, whose: "authority", detail: findSoonEnd(authorities) },
  ] as const;
  for (const { detail, ...doubt } of doubts) if (detail !== undefined) return { ...doubt, detail };
  return undefined;
}
