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

/** That somebody has signed in, under the id of the sign-in: removed, and not marked, when it was used, so that no loss revives it. */
export interface SignInRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  /** As in {@link SessionRecord}. */
  readonly stay?: StayInBrowser;
}

/** On which stay something hangs, and of which browser, by the hash of its name. */
export interface StayInBrowser {
  readonly browser: string;
  readonly id: string;
}

/**
 * The stay of a PSU in a browser, under the hash of its name: from the first sign-in to the sign-out, or until somebody else signs
 * in. One record, on which every session and sign-in of that time hangs: whoever removes it has ended them all, also those of
 * which nobody knows yet.
 */
export interface StayRecord {
  readonly id: string;
  readonly psu: string;
  readonly begunAt: number;
}

/** Which session a stay has, by the hash of its id, under the id of the stay: no other one lives. */
export interface PresentSessionRecord {
  readonly session: string;
}

/** When a session was last used. A record of its own: writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** That all stays of a PSU have ended but one. */
export interface OthersEndedRecord {
  readonly endedAt: number;
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
/** Nothing hangs on a stay that is over: of the last hour nobody signs in under it. */
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

  /** Whether nothing has ended that a session or a sign-in hangs on. */
  async function lasts(record: SignInRecord): Promise<boolean> {
    const ending = othersEnded.find(endedKeyOf(record.psu));
    const [begunAt, ended] = await Promise.all([findBeginning(record), ending]);
    return begunAt !== undefined && !isEnded(ended, { id: record.stay?.id, begunAt });
  }

  /** When that has begun which it hangs on; undefined when it is over. */
  async function findBeginning({ authenticatedAt, stay }: SignInRecord): Promise<number | undefined> {
    if (stay === undefined) return authenticatedAt;
    const present = await stays.find(stayKeyOf(stay.browser));
    // A stay may have begun while others were ended, with a factor that was judged before.
    return present?.id === stay.id ? Math.min(authenticatedAt, present.begunAt) : undefined;
  }

  async function isPresent(id: string, { stay }: SessionRecord): Promise<boolean> {
    return stay === undefined || (await presentSessions.find(presentKeyOf(stay)))?.session === hash(id);
  }

  /** Whoever was ended meanwhile keeps nothing: their word, in the place of that which has ended them, would revive them. */
  async function endOthers({ id, psu }: Pick<OpenPsuSession, "id" | "psu">): Promise<RenewedSession> {
    const key = endedKeyOf(psu);
    const [record, former] = await Promise.all([sessions.find(keyOf(id)), othersEnded.find(key)]);
    const begunAt = record && (await findBeginning(record));
    const own = record?.stay?.id;
    const goesOn = begunAt !== undefined && !isEnded(former, { id: own, begunAt });
    // Also by a process whose clock is behind.
    const endedAt = Math.max(now(), former?.endedAt ?? 0);
    const ending = { endedAt, keptStay: goesOn ? own : undefined };
    // Nothing from before lives longer than this record.
    const isPut = await othersEnded.putInPlaceOf(former, key, ending, lasting(ABSOLUTE_SECONDS));
    if (!isPut) return endOthers({ id, psu });
    return record && goesOn ? renew(id, record) : { id, cookies: [] };
  }

  /** The new id lives from the one write on that ends the former one, and only where that lived still. */
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
   * The stay of a PSU in a browser; a new one where somebody else had it, or where it was ended from elsewhere. Of two who enter
   * at once one has it, and what the other has begun is over.
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

  /** That of the session, or of a browser that may not have heard of its newest one. */
  function browserOf(call: SessionCall, record: SessionRecord | undefined): string | undefined {
    const name = findCookie(call, BROWSER_COOKIE);
    return record?.stay?.browser ?? (name && hash(name));
  }

  async function endSignIns({ signIns: listed = [] }: SessionRecord): Promise<void> {
    await Promise.all(listed.map(({ id }) => signIns.take(signInKeyOf(id))));
  }

  /** What a session lists of the one in whose place it is: nothing of somebody else, whose sign-ins end. */
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
      // Before the session itself, so that who is told of a failure can sign out again.
      await Promise.all([browser && stays.take(stayKeyOf(browser)), record && endSignIns(record)]);
      await close(call);
      // Whoever has learnt the name in the meantime knows nothing of those who sign in here from now on.
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
      // Taken before it is asked what it hangs on: whoever ends that ends this.
      return record !== undefined && (await signIns.take(signInKeyOf(signIn.id))) && lasts(record);
    },
  };
}

/** Whether a PSU has ended this from another browser. */
function isEnded(
  ended: OthersEndedRecord | undefined,
  { id, begunAt }: { readonly id?: string | undefined; readonly begunAt: number },
): boolean {
  return ended !== undefined && begunAt <= ended.endedAt && (id === undefined || id !== ended.keptStay);
}

function hash(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
