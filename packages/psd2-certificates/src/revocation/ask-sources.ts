import type { PathLink } from "../path/path-link.ts";
import { askCrl } from "./crl/ask-crl.ts";
import type { CrlMemory } from "./crl/crl-memory.ts";
import { fetchWithin } from "./fetch-within.ts";
import { askOcsp } from "./ocsp/ask-ocsp.ts";
import { type DatedAnswer, detailOf, UnusableAnswer } from "./revocation-answer.ts";
import type { RevocationClock } from "./revocation-clock.ts";
import type { RevocationFetch } from "./revocation-fetch.ts";
import type { RevocationSettings } from "./revocation-settings.ts";
import type { SilentResponders } from "./silent-responders.ts";

/** Time limit for all responders together, and again for all CRLs, so that nobody waits longer than both. */
const kindMilliseconds = 2_000;

/** Parts needed to ask a certificate's sources. */
export interface Asking {
  readonly settings: RevocationSettings;
  readonly lists: CrlMemory;
  readonly silent: SilentResponders;
  readonly clock: RevocationClock;
}

type Ask = (limitMilliseconds: number) => Promise<DatedAnswer | "unknown">;

/**
 * Asks the sources of one certificate in turn until one knows it: its OCSP responders first, unless all of them were silent a
 * moment ago. Rejects with an `UnusableAnswer` that says how each of them failed.
 */
export async function askSources(link: PathLink, asking: Asking): Promise<DatedAnswer> {
  const failures: string[] = [];
  const kinds = [
    { source: "ocsp", asks: asksOfResponders(link, asking) },
    { source: "crl", asks: asksOfLists(link, asking) },
  ] as const;
  const inOrder = link.sources.ocsp.every(asking.silent.isSilent) ? kinds.toReversed() : kinds;
  for (const kind of inOrder) {
    const found = await askInTurn(kind, { ...asking, failures });
    if (found === undefined) continue;
    if (kind.source === "ocsp") prefetchLists(link, asking);
    return found;
  }
  throw new UnusableAnswer(failures.join("; "));
}

function asksOfResponders(link: PathLink, { settings, silent, clock }: Asking): readonly Ask[] {
  const fetch: RevocationFetch = (question) =>
    silent.watch(question.url, fetchWithin(settings.fetch, question));
  return link.sources.ocsp.map((url) => async (limitMilliseconds) => {
    const askedAt = clock.monotonic();
    const answer = await askOcsp(link, { url, fetch, now: clock.now, limitMilliseconds });
    return answer === "unknown" ? answer : { answer, askedAt };
  });
}

function asksOfLists(link: PathLink, { lists: memory, clock }: Asking): readonly Ask[] {
  return link.sources.crl.map(
    (point) => (limitMilliseconds) => askCrl(link, point, { memory, clock, limitMilliseconds }),
  );
}

/** Fetches lists ahead of need: a list at hand is worth most when the responder and the list's host go silent together. */
function prefetchLists(link: PathLink, { lists, clock }: Asking): void {
  for (const { url } of link.sources.crl) lists.prefetch(link, { url, clock });
}

/** Divides the remaining time among the remaining sources, so that a slow one does not use up that of the next. */
async function askInTurn(
  { source, asks }: { readonly source: "ocsp" | "crl"; readonly asks: readonly Ask[] },
  { settings, clock, failures }: Asking & { readonly failures: string[] },
): Promise<DatedAnswer | undefined> {
  const end = clock.monotonic() + kindMilliseconds;
  for (const [at, ask] of asks.entries()) {
    const limit = Math.max(1, Math.round((end - clock.monotonic()) / (asks.length - at)));
    const found = await ask(limit).catch((error) => ({ failure: detailOf(error) }));
    settings.onEvent?.({ kind: "answer", source, ...presentFound(found) });
    if (typeof found === "object" && "answer" in found) return found;
    failures.push(`${source}: ${presentFound(found).detail}`);
  }
  return undefined;
}

function presentFound(found: DatedAnswer | "unknown" | { readonly failure: string }) {
  if (found === "unknown")
    return { outcome: found, detail: "the responder does not know the certificate" } as const;
  if ("failure" in found) return { outcome: "failed", detail: found.failure } as const;
  return { outcome: found.answer.status, detail: found.answer.detail } as const;
}
