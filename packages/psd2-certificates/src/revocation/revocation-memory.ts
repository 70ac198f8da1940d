import { LRUCache } from "lru-cache";
import { countNothing } from "../count-cache.ts";
import type { PathLink } from "../path/path-link.ts";
import { askSources } from "./ask-sources.ts";
import { createCrlMemory } from "./crl/crl-memory.ts";
import {
  isOvertaken,
  type RememberedAnswer,
  type RevocationVerdict,
  rememberAnswer,
  rememberFailure,
  settle,
  verdictOf,
  wantsRefresh,
} from "./remembered-answer.ts";
import { detailOf } from "./revocation-answer.ts";
import { clockFrom } from "./revocation-clock.ts";
import type { RevocationDemand, RevocationSettings } from "./revocation-settings.ts";
import { createSilentResponders } from "./silent-responders.ts";
import { createSingleFlight } from "./single-flight.ts";

/**
 * Knows whether certificates were revoked, and asks if it does not: once for all calls that wait, and in the background ahead
 * of time for certificates in use. Its facts are about a serial number and the authority that assigned it, whose key vouched
 * for the answer. So they hold for each form of the certificate, under every anchor file that leads to that authority, and
 * under no other.
 */
export interface RevocationMemory {
  /** Judges every certificate of a path, synchronously if all of it is known; never rejects. */
  judge(
    links: readonly PathLink[],
    call: { readonly demand: RevocationDemand; readonly now: Date },
  ): PathVerdict | Promise<PathVerdict>;
}

/** The decision about a path, which is that of its worst certificate. */
export interface PathVerdict {
  readonly leaf: RevocationVerdict | undefined;
  readonly worst: RevocationVerdict;
}

const rememberedLimit = 10_000;

/** Makes an empty memory. */
export function createRevocationMemory(settings: RevocationSettings): RevocationMemory {
  const { monotonicMilliseconds: monotonic, graceSeconds, countCache = countNothing } = settings;
  const remembered = new LRUCache<string, RememberedAnswer>({ max: rememberedLimit });
  const counted = countCache("revocation_answers", () => remembered.size);
  const ask = createAsk(settings, remembered);
  const judgeLink = (link: PathLink, demand: RevocationDemand, now: Date) => {
    const at = monotonic();
    const known = remembered.get(link.key);
    const verdict = verdictOf(known, { demand, at, graceSeconds });
    if (verdict === undefined) {
      counted.missed();
      return ask(link, now).then((asked) => settle(asked, { demand, at: monotonic(), graceSeconds }));
    }
    counted.hit();
    if (known !== undefined && wantsRefresh(known, at)) void ask(link, now);
    return verdict;
  };
  return {
    judge: (links, { demand, now }) => {
      const verdicts = links.map((link) => judgeLink(link, demand, now));
      return verdicts.every(isKnown) ? verdictOfPath(verdicts) : Promise.all(verdicts).then(verdictOfPath);
    },
  };
}

/** Asks the sources of one certificate, once for all who wait, and remembers the result; never rejects. */
function createAsk(
  settings: RevocationSettings,
  remembered: LRUCache<string, RememberedAnswer>,
): (link: PathLink, now: Date) => Promise<RememberedAnswer> {
  const lists = createCrlMemory(settings);
  const silent = createSilentResponders(settings.monotonicMilliseconds);
  const once = createSingleFlight<RememberedAnswer>();
  return (link, now) =>
    once(link.key, async () => {
      const clock = clockFrom(now, settings.monotonicMilliseconds);
      const fail = (detail: string) => rememberFailure(remembered.get(link.key), clock.monotonic(), detail);
      const known = await askSources(link, { settings, lists, silent, clock }).then(
        (dated) =>
          isOvertaken(dated.answer, remembered.get(link.key))
            ? fail(`${dated.answer.detail}, but older than its revocation`)
            : rememberAnswer(dated, settings, clock),
        (error) => fail(detailOf(error)),
      );
      remembered.set(link.key, known);
      return known;
    });
}

function isKnown(verdict: RevocationVerdict | Promise<RevocationVerdict>): verdict is RevocationVerdict {
  return !(verdict instanceof Promise);
}

const severities = ["good", "grace", "unavailable", "revoked"];

function verdictOfPath(verdicts: readonly RevocationVerdict[]): PathVerdict {
  const worst = verdicts.reduce((worse, verdict) =>
    severityOf(verdict) > severityOf(worse) ? verdict : worse,
  );
  return { leaf: verdicts[0], worst };
}

function severityOf({ decision }: RevocationVerdict): number {
  return severities.indexOf(decision);
}
