/**
 * Sessions of PSUs, kept in the ephemeral store under hashes of what browsers hold. What a sign-in leaves behind:
 *
 * - a **session**, whose id the browser has as a cookie, and beside it the time when it was last used;
 * - a **sign-in**, on which the authorization or approval that it was made for rests until it is used there;
 * - the **stay** of the PSU in that browser, from their first sign-in to their sign-out. Sessions and sign-ins name the stay
 *   that they belong to, so that removing this one record ends all of them at once, those of other tabs included.
 *
 * A stay has one present session: a new sign-in, or a new id, makes the former session void. "Others ended" is a mark on the
 * PSU: every stay that began before it is over, but for the one that it names.
 *
 * All of it may be lost: then the PSU signs in again. Nothing that was ended may come back by a loss, so what ends something
 * removes a record, or writes a mark that outlives what it has ended.
 */
import { createHash } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PsuBlocks } from "../psu/psu-blocks.ts";
import type { SignInMethod } from "../psu/psu-login.ts";
import {
  BROWSER_COOKIE,
  browserCookie,
  createId,
  findCookie,
  hostCookie,
  PSU_SESSION_COOKIE,
} from "./cookie.ts";
import type { OpenPsuSession, PsuSessions, RenewedSession, SessionCall, SignInOfPsu } from "./psu-session.ts";

/** What is kept of a session, under the hash of its id. Times are milliseconds since 1970 by our clock. */
export interface SessionRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  readonly methods: readonly SignInMethod[];
  /** Absent in a record of the release before. */
  readonly stay?: StayInBrowser;
  /** What ends with the session where the release before had to do with one of them, which knows no stays. */
  readonly signIns?: readonly ListedSignIn[];
}

interface ListedSignIn {
  readonly id: string;
  readonly at: number;
}

/** That somebody has signed in, under the id of the sign-in. Using it removes it: a mark could be lost, and it would be good again. */
export interface SignInRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  /** As in {@link SessionRecord}. */
  readonly stay?: StayInBrowser;
}

/** The stay that a session or sign-in belongs to. */
export interface StayInBrowser {
  /** Hash of the browser's name. */
  readonly browser: string;
  readonly id: string;
}

/** The stay of a PSU in a browser, under the hash of the browser's name. It ends with the sign-out, or when somebody else signs in. */
export interface StayRecord {
  readonly id: string;
  readonly psu: string;
  readonly begunAt: number;
}

/** The present session of a stay, under the id of the stay. */
export interface PresentSessionRecord {
  /** Hash of the session's id. */
  readonly session: string;
}

/** When a session was last used. A record of its own: writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** The mark that all stays of a PSU have ended but one, under the id of the PSU. */
export interface OthersEndedRecord {
  readonly endedAt: number;
  /** Undefined where none was kept. */
  readonly keptStay: string | undefined;
}

/** What sessions are made from. */
export interface PsuSessionParts {
  readonly sessions: EphemeralStore<SessionRecord>;
  readonly seen: EphemeralStore<SeenRecord>;
  readonly signIns: EphemeralStore<SignInRecord>;
  readonly stays: EphemeralStore<StayRecord>;
  readonly presentSessions: EphemeralStore<PresentSessionRecord>;
  readonly othersEnded: EphemeralStore<OthersEndedRecord>;
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly clock: Clock;
}

const IDLE_SECONDS = 300;
const ABSOLUTE_SECONDS = 3600;
/** Longer than an authorization can rest on a sign-in: it waits ten minutes at most for each of its two pages. */
const SIGN_IN_SECONDS = 1800;
/** In its last hour nobody signs in under a stay any more, so that it outlives every session that belongs to it. */
const STAY_SECONDS = 24 * 3600;

/** Keeps sessions where everything is kept that may be lost. */
export function createPsuSessions(parts: PsuSessionParts): PsuSessions {
  const { sessions, seen, signIns, stays, presentSessions, othersEnded, blocks, clock } = parts;
  const keyOf = (id: string) => ({ kind: "PsuSession", id });
  const seenKeyOf = (id: string) => ({ kind: "PsuSessionSeen", id });
  const signInKeyOf = (id: string) => ({ kind: "PsuSignIn", id });
  const stayKeyOf = (browser: string) => ({ kind: "PsuStay", id: browser });
  const presentKeyOf = ({ id }: StayInBrowser) => ({ kind: "PsuStaySession", id });
  const endedKeyOf = (psu: string) => ({ kind: "PsuSessionsEnded", id: psu });
  const idOf = (call: SessionCall) => findCookie(call, PSU_SESSION_COOKIE);
  const now = () => clock.now().getTime();
  const lasting = (lifetimeSeconds: number) => ({ uid: undefined, lifetimeSeconds });

  async function note(id: string): Promise<void> {
    await seen.put(seenKeyOf(id), { seenAt: now() }, lasting(IDLE_SECONDS));
  }

  async function close(call: SessionCall): Promise<void> {
    const id = idOf(call);
    if (id !== undefined) await sessions.take(keyOf(id));
  }

  /** Whether the stay of a session or sign-in goes on. */
  async function lasts(record: SignInRecord): Promise<boolean> {
    const ending = othersEnded.find(endedKeyOf(record.psu));
    const [begunAt, ended] = await Promise.all([findBeginning(record), ending]);
    return begunAt !== undefined && !isEnded(ended, { id: record.stay?.id, begunAt });
  }

  /** When the stay of a session or sign-in began, or it itself where it has none; undefined when the stay is over. */
  async function findBeginning({ authenticatedAt, stay }: SignInRecord): Promise<number | undefined> {
    if (stay === undefined) return authenticatedAt;
    const present = await stays.find(stayKeyOf(stay.browser));
    // A sign-in that was judged before others were ended may have begun its stay after that: the earlier time counts.
    return present?.id === stay.id ? Math.min(authenticatedAt, present.begunAt) : undefined;
  }

  async function isPresent(id: string, { stay }: SessionRecord): Promise<boolean> {
    return stay === undefined || (await presentSessions.find(presentKeyOf(stay)))?.session === hash(id);
  }

  /**
   * Marks all other stays as ended. Of two sessions that do so at once, the second finds itself ended by the first: its mark then
   * keeps no stay, for one that named its own would bring itself back.
   */
  async function endOthers({ id, psu }: Pick<OpenPsuSession, "id" | "psu">): Promise<RenewedSession> {
    const key = endedKeyOf(psu);
    const [record, former] = await Promise.all([sessions.find(keyOf(id)), othersEnded.find(key)]);
    const begunAt = record && (await findBeginning(record));
    const own = record?.stay?.id;
    const goesOn = begunAt !== undefined && !isEnded(former, { id: own, begunAt });
    // Never earlier than the mark before, which a process whose clock is ahead may have written.
    const endedAt = Math.max(now(), former?.endedAt ?? 0);
    const ending = { endedAt, keptStay: goesOn ? own : undefined };
    // The mark lives as long as any session that began before it.
    const isPut = await othersEnded.putInPlaceOf(former, key, ending, lasting(ABSOLUTE_SECONDS));
    if (!isPut) return endOthers({ id, psu });
    return record && goesOn ? renew(id, record) : { id, cookies: [] };
  }

  /** Gives the session another id. One write makes the new id the present one and the former void, unless that was void already. */
  async function renew(former: string, record: SessionRecord): Promise<RenewedSession> {
    const { stay, authenticatedAt } = record;
    const left = Math.ceil((authenticatedAt - now()) / 1000) + ABSOLUTE_SECONDS;
    if (stay === undefined || left <= 0) return { id: former, cookies: [] };
    const id = createId();
    await Promise.all([note(id), sessions.put(keyOf(id), record, lasting(left))]);
    const [from, to] = [{ session: hash(former) }, { session: hash(id) }];
    if (!(await presentSessions.putInPlaceOf(from, presentKeyOf(stay), to, lasting(ABSOLUTE_SECONDS))))
      return { id: former, cookies: [] };
    // For a process of the release before, which knows no stays.
    await seen.take(seenKeyOf(former));
    return { id, cookies: [hostCookie(PSU_SESSION_COOKIE, id)] };
  }

  /**
   * The stay of a PSU in a browser; a new one where there is none that goes on, or where it is another PSU's. Of two PSUs who sign
   * in there at once, the later one has the stay, and the sign-in of the other is over.
   */
  async function enter(browser: string, psu: PsuId): Promise<StayInBrowser> {
    const key = stayKeyOf(browser);
    const present = await stays.find(key);
    if (
      present?.psu === psu &&
      isYoung(present) &&
      !isEnded(await othersEnded.find(endedKeyOf(psu)), present)
    )
      return { browser, id: present.id };
    if (present !== undefined) await stays.take(key);
    const begun = { id: createId(), psu, begunAt: now() };
    const isNew = await stays.putNew(key, begun, lasting(STAY_SECONDS));
    return isNew ? { browser, id: begun.id } : enter(browser, psu);
  }

  const isYoung = ({ begunAt }: StayRecord) => now() < begunAt + (STAY_SECONDS - ABSOLUTE_SECONDS) * 1000;

  async function findSignIn({ psu, id }: SignInOfPsu): Promise<SignInRecord | undefined> {
    const record = id === undefined ? undefined : await signIns.find(signInKeyOf(id));
    return record?.psu === psu ? record : undefined;
  }

  async function findLiving(id: string): Promise<OpenPsuSession | undefined> {
    const [record, last] = await Promise.all([sessions.find(keyOf(id)), seen.find(seenKeyOf(id))]);
    if (record === undefined || last === undefined) return undefined;
    const { authenticatedAt, methods } = record;
    const idle = now() >= last.seenAt + IDLE_SECONDS * 1000;
    if (idle || now() >= authenticatedAt + ABSOLUTE_SECONDS * 1000) return undefined;
    const living = await Promise.all([lasts(record), isPresent(id, record)]);
    if (living.includes(false)) return undefined;
    return { id, psu: parsePsuId(record.psu), authenticatedAt: new Date(authenticatedAt), methods };
  }

  async function findRecord(call: SessionCall): Promise<SessionRecord | undefined> {
    const id = idOf(call);
    return id === undefined ? undefined : sessions.find(keyOf(id));
  }

  /** Hash of the browser's name: as its session says, or as its cookie does where the session is not found any more. */
  function browserOf(call: SessionCall, record: SessionRecord | undefined): string | undefined {
    const name = findCookie(call, BROWSER_COOKIE);
    return record?.stay?.browser ?? (name && hash(name));
  }

  async function endSignIns({ signIns: listed = [] }: SessionRecord): Promise<void> {
    await Promise.all(listed.map(({ id }) => signIns.take(signInKeyOf(id))));
  }

  /** The sign-ins that a session takes over from the one before it in this browser. Those of another PSU end instead. */
  async function inherit(former: SessionRecord | undefined, psu: PsuId): Promise<readonly ListedSignIn[]> {
    if (former === undefined) return [];
    if (former.psu !== psu) {
      await endSignIns(former);
      return [];
    }
    const oldest = now() - SIGN_IN_SECONDS * 1000;
    return former.signIns?.filter(({ at }) => at > oldest) ?? [];
  }

  return {
    async find(call) {
      const id = idOf(call);
      const session = id === undefined ? undefined : await findLiving(id);
      if (session === undefined) return undefined;
      if (!(await blocks.admits(session))) {
        await close(call);
        return undefined;
      }
      await note(session.id);
      return session;
    },
    async begin(call, { psu, authenticatedAt, methods }) {
      const [id, signIn] = [createId(), createId()];
      const name = findCookie(call, BROWSER_COOKIE) ?? createId();
      const stay = await enter(hash(name), psu);
      const at = authenticatedAt.getTime();
      const record = { psu, authenticatedAt: at, stay };
      const inherited = await inherit(await findRecord(call), psu);
      const session = { ...record, methods, signIns: [{ id: signIn, at }, ...inherited] };
      await close(call);
      await Promise.all([
        note(id),
        sessions.put(keyOf(id), session, lasting(ABSOLUTE_SECONDS)),
        presentSessions.put(presentKeyOf(stay), { session: hash(id) }, lasting(ABSOLUTE_SECONDS)),
        signIns.put(signInKeyOf(signIn), record, lasting(SIGN_IN_SECONDS)),
      ]);
      return { cookies: [hostCookie(PSU_SESSION_COOKIE, id), browserCookie(name)], signIn };
    },
    async end(call) {
      const record = await findRecord(call);
      const browser = browserOf(call, record);
      // Before the session itself: whoever is told that it failed can still press the button again.
      await Promise.all([browser && stays.take(stayKeyOf(browser)), record && endSignIns(record)]);
      await close(call);
      // A new name: whoever has learnt the old one can do nothing with it to those who sign in here from now on.
      return { cookies: [hostCookie(PSU_SESSION_COOKIE, "", 0), browserCookie()] };
    },
    endOthers,
    async counts(signIn) {
      if (signIn.id === undefined) return true;
      const record = await findSignIn(signIn);
      return record !== undefined && lasts(record);
    },
    async use(signIn) {
      if (signIn.id === undefined) return true;
      const record = await findSignIn(signIn);
      // Removed first, and judged then: a sign-out in between still ends it.
      return record !== undefined && (await signIns.take(signInKeyOf(signIn.id))) && lasts(record);
    },
  };
}

/** Whether the mark of a PSU has ended a stay, or what has none, that began at this time. */
function isEnded(
  ended: OthersEndedRecord | undefined,
  { id, begunAt }: { readonly id?: string | undefined; readonly begunAt: number },
): boolean {
  return ended !== undefined && begunAt <= ended.endedAt && (id === undefined || id !== ended.keptStay);
}

function hash(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
