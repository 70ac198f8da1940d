/**
 * The stays of PSUs in browsers. A **stay** lasts from a PSU's first sign-in in a browser to their sign-out. Sessions and
 * sign-ins name the stay that they belong to, so that removing this one record ends all of them at once, including those of other
 * tabs.
 *
 * A stay has one present session: a new sign-in, or a new id, makes the former session void. "Others ended" is a mark on the PSU:
 * it ends every stay that began before it, except the one that it names. A stay names the mark that it found when it began, so
 * that the clocks of two processes need not agree about which was first. A stay under another login is over: after `PSU_LOGIN` has
 * changed, PSUs sign in anew.
 */
import { createHash } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore, RecordTerms } from "../ephemeral/ephemeral-store.ts";
import { createId } from "./cookie.ts";
import { untilFirst } from "./until-first.ts";

/** The stay that a session or sign-in belongs to. */
export interface StayInBrowser {
  /** Hash of the browser's name. */
  readonly browser: string;
  readonly id: string;
}

/** What a session and a sign-in record about their stay. Times are milliseconds since 1970 by our clock. */
export interface StayingRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  readonly stay: StayInBrowser;
}

/**
 * The stay of a PSU in a browser, under the hash of the browser's name. It ends with the sign-out, or when
 * somebody else signs in.
 */
export interface StayRecord {
  readonly id: string;
  readonly psu: string;
  readonly begunAt: number;
  /** The login that was in force; a stay of an older release has none, and counts as one under any until its PSU signs in again. */
  readonly login?: string | undefined;
  /** Id of the PSU's mark that was there before the stay began; a mark of an older release has none. */
  readonly after: string | undefined;
}

type Begun = Pick<StayRecord, "id" | "begunAt" | "after">;

/** The present session of a stay, under the id of the stay. */
export interface PresentSessionRecord {
  /** Hash of the session's id. */
  readonly session: string;
}

/** The mark that all stays of a PSU have ended but one, under the id of the PSU. */
export interface OthersEndedRecord {
  readonly id: string | undefined;
  readonly endedAt: number;
  /** Undefined when no stay was kept. */
  readonly keptStay: string | undefined;
}

/** What stays are made from. */
export interface StayParts {
  readonly stays: EphemeralStore<StayRecord>;
  readonly presentSessions: EphemeralStore<PresentSessionRecord>;
  readonly othersEnded: EphemeralStore<OthersEndedRecord>;
  readonly clock: Clock;
  /** The login in force (`PSU_LOGIN`). What PSUs have done with another one proves nothing to this one. */
  readonly login: string;
}

/** The stays in all browsers; every `browser` is the hash of a browser's name, every `session` the id of a session. */
export interface Stays {
  /**
   * The stay of a PSU in a browser; a new one when none goes on, or when the stay is another PSU's. Of two PSUs who sign in there
   * at once, the later one gets the stay, and the sign-in of the other is over.
   */
  enter(browser: string, psu: PsuId): Promise<StayInBrowser>;
  /** Ends the stay in a browser, whosever it is. */
  leave(browser: string): Promise<void>;
  /** Whether the stay of a session or sign-in goes on. */
  lasts(record: StayingRecord): Promise<boolean>;
  /**
   * Marks all other stays of the PSU as ended. The stay of `own` is `kept`, or is `over` already: of two sessions that call this
   * at once, the first ends the second. The second's mark then keeps no stay, because naming its own would bring it back.
   * `overtaken`: another mark was written meanwhile, and none here; the caller starts again.
   */
  endOthers(psu: PsuId, own: StayingRecord | undefined): Promise<"kept" | "over" | "overtaken">;
  /** Makes a session the present one of the stay, whichever was present before. */
  present(stay: StayInBrowser, session: string): Promise<void>;
  /** Makes a session the present one in place of `former`; false, and nothing changes, when `former` is void already. */
  presentInPlaceOf(former: string, stay: StayInBrowser, session: string): Promise<boolean>;
  /** Whether the session is the present one of its stay. */
  isPresent(session: string, record: StayingRecord): Promise<boolean>;
}

/** Longest time from its sign-in to the end of a session. */
export const SESSION_SECONDS = 3600;
/** In its last hour no new sign-in joins a stay, so that it outlives every session that belongs to it. */
const STAY_SECONDS = 24 * 3600;

/** Keeps stays in the ephemeral store, which may be lost. */
export function createStays({ stays, presentSessions, othersEnded, clock, login }: StayParts): Stays {
  const keyOf = (browser: string) => ({ kind: "PsuStay", id: browser });
  const presentKeyOf = ({ id }: StayInBrowser) => ({ kind: "PsuStaySession", id });
  const endedKeyOf = (psu: string) => ({ kind: "PsuSessionsEnded", id: psu });
  const now = () => clock.now().getTime();
  const isYoung = ({ begunAt }: StayRecord) => now() < begunAt + (STAY_SECONDS - SESSION_SECONDS) * 1000;

  /** The stay of a session or sign-in; undefined when it is over. */
  async function findStay({
    authenticatedAt,
    stay: { browser, id },
  }: StayingRecord): Promise<Begun | undefined> {
    const there = await stays.find(keyOf(browser));
    // A sign-in that was judged before others were ended may have begun its stay afterwards: the earlier time counts.
    if (there?.id !== id || (there.login ?? login) !== login) return undefined;
    return { id, begunAt: Math.min(authenticatedAt, there.begunAt), after: there.after };
  }

  /** Undefined when somebody else has entered meanwhile. */
  async function tryToEnter(browser: string, psu: PsuId): Promise<StayInBrowser | undefined> {
    const key = keyOf(browser);
    const [there, ended] = await Promise.all([stays.find(key), othersEnded.find(endedKeyOf(psu))]);
    const isOurs = there?.psu === psu && there.login === login;
    if (isOurs && isYoung(there) && !isEnded(ended, there)) return { browser, id: there.id };
    if (there !== undefined) await stays.take(key);
    const begun = { id: createId(), psu, login, begunAt: now(), after: ended?.id };
    // A stay that is stored but not found, such as one from before the sealing key changed, belongs to nobody.
    const isPut = await stays.putInPlaceOf(undefined, key, begun, lasting(STAY_SECONDS));
    return isPut ? { browser, id: begun.id } : undefined;
  }

  return {
    enter: (browser, psu) => untilFirst(() => tryToEnter(browser, psu)),
    async leave(browser) {
      await stays.take(keyOf(browser));
    },
    async lasts(record) {
      const ending = othersEnded.find(endedKeyOf(record.psu));
      const [stay, ended] = await Promise.all([findStay(record), ending]);
      return stay !== undefined && !isEnded(ended, stay);
    },
    async endOthers(psu, own) {
      const key = endedKeyOf(psu);
      const former = await othersEnded.find(key);
      const stay = own && (await findStay(own));
      const isKept = stay !== undefined && !isEnded(former, stay);
      // Never earlier than the previous mark, which a process with a fast clock may have written.
      const endedAt = Math.max(now(), former?.endedAt ?? 0);
      const ending = { id: createId(), endedAt, keptStay: isKept ? stay.id : undefined };
      // The mark lives as long as any session that began before it.
      const isPut = await othersEnded.putInPlaceOf(former, key, ending, lasting(SESSION_SECONDS));
      if (!isPut) return "overtaken";
      return isKept ? "kept" : "over";
    },
    async present(stay, session) {
      await presentSessions.put(presentKeyOf(stay), { session: hashHeld(session) }, lasting(SESSION_SECONDS));
    },
    presentInPlaceOf(former, stay, session) {
      const [from, to] = [{ session: hashHeld(former) }, { session: hashHeld(session) }];
      return presentSessions.putInPlaceOf(from, presentKeyOf(stay), to, lasting(SESSION_SECONDS));
    },
    async isPresent(session, { stay }) {
      return (await presentSessions.find(presentKeyOf(stay)))?.session === hashHeld(session);
    },
  };
}

/** Whether the mark of a PSU has ended a stay. */
function isEnded(ended: OthersEndedRecord | undefined, { id, begunAt, after }: Begun): boolean {
  if (ended === undefined || id === ended.keptStay) return false;
  // Either is enough: the process that wrote the mark may be behind, and a sign-in may have been judged before the mark.
  return after !== ended.id || begunAt <= ended.endedAt;
}

/** The hash under which a browser's secret is stored: a reader of the store has nothing to present. */
export function hashHeld(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

function lasting(lifetimeSeconds: number): RecordTerms {
  return { uid: undefined, lifetimeSeconds };
}
