/**
 * Sessions of PSUs, kept in the ephemeral store under hashes of what browsers hold. A sign-in leaves behind:
 *
 * - a **session**, whose id the browser has as a cookie, and beside it the time when it was last used;
 * - a **sign-in**, on which the authorization or approval that it was made for rests until it is used there.
 *
 * Both belong to a **stay** of the PSU in that browser, and end with it (stays.ts).
 *
 * All of these records may be lost: then the PSU signs in again. But a loss must not bring back what was ended. So whatever ends
 * something removes a record, or writes a mark that outlives what it has ended. Times in records are milliseconds since 1970 by
 * our clock.
 */
import { parsePsuId } from "@cobs/cobs-model";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { SignInMethod } from "../psu/psu-login.ts";
import type { PsuBlocks } from "../psu-block/psu-blocks.ts";
import {
  BROWSER_COOKIE,
  browserCookie,
  createId,
  findCookie,
  hostCookie,
  PSU_SESSION_COOKIE,
} from "./cookie.ts";
import type { OpenPsuSession, PsuSessions, RenewedSession, SessionCall, SignInOfPsu } from "./psu-session.ts";
import { createStays, hashHeld, SESSION_SECONDS, type StayingRecord, type StayParts } from "./stays.ts";
import { untilFirst } from "./until-first.ts";

/** What is stored of a session, under the hash of its id. */
export interface SessionRecord extends StayingRecord {
  readonly methods: readonly SignInMethod[];
}

/**
 * Records that somebody has signed in, under the id of the sign-in. Using the sign-in removes the record: a mark could be lost,
 * and the sign-in would be good again.
 */
export type SignInRecord = StayingRecord;

/** When a session was last used. A separate record, so that writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** What sessions are made from. */
export interface PsuSessionParts extends StayParts {
  readonly sessions: EphemeralStore<SessionRecord>;
  readonly seen: EphemeralStore<SeenRecord>;
  readonly signIns: EphemeralStore<SignInRecord>;
  readonly blocks: Pick<PsuBlocks, "admits">;
}

const IDLE_SECONDS = 300;
/** Longer than an authorization can rest on a sign-in: it waits at most ten minutes for each of its two pages. */
const SIGN_IN_SECONDS = 1800;

/** Keeps sessions in the ephemeral store, which may be lost. */
export function createPsuSessions(parts: PsuSessionParts): PsuSessions {
  const { sessions, seen, signIns, blocks, clock } = parts;
  const stays = createStays(parts);
  const keyOf = (id: string) => ({ kind: "PsuSession", id });
  const seenKeyOf = (id: string) => ({ kind: "PsuSessionSeen", id });
  const signInKeyOf = (id: string) => ({ kind: "PsuSignIn", id });
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

  async function endOthers({ id, psu }: Pick<OpenPsuSession, "id" | "psu">): Promise<RenewedSession> {
    const [record, own] = await untilFirst(async () => {
      const found = await sessions.find(keyOf(id));
      const ended = await stays.endOthers(psu, found);
      return ended === "overtaken" ? undefined : [found, ended];
    });
    return record && own === "kept" ? renew(id, record) : { id, cookies: [] };
  }

  /**
   * Gives the session another id. One write makes the new id the present one and the former void, unless the former was void
   * already.
   */
  async function renew(former: string, record: SessionRecord): Promise<RenewedSession> {
    const { stay, authenticatedAt } = record;
    const left = Math.ceil((authenticatedAt - now()) / 1000) + SESSION_SECONDS;
    if (left <= 0) return { id: former, cookies: [] };
    const id = createId();
    await Promise.all([note(id), sessions.put(keyOf(id), record, lasting(left))]);
    if (!(await stays.presentInPlaceOf(former, stay, id))) return { id: former, cookies: [] };
    return { id, cookies: [hostCookie(PSU_SESSION_COOKIE, id)] };
  }

  async function findSignIn({ psu, id }: SignInOfPsu): Promise<SignInRecord | undefined> {
    const record = await signIns.find(signInKeyOf(id));
    return record?.psu === psu ? record : undefined;
  }

  async function findLiving(id: string): Promise<OpenPsuSession | undefined> {
    const [record, last] = await Promise.all([sessions.find(keyOf(id)), seen.find(seenKeyOf(id))]);
    if (record === undefined || last === undefined) return undefined;
    const { authenticatedAt, methods } = record;
    const idle = now() >= last.seenAt + IDLE_SECONDS * 1000;
    if (idle || now() >= authenticatedAt + SESSION_SECONDS * 1000) return undefined;
    const living = await Promise.all([stays.lasts(record), stays.isPresent(id, record)]);
    if (living.includes(false)) return undefined;
    return { id, psu: parsePsuId(record.psu), authenticatedAt: new Date(authenticatedAt), methods };
  }

  async function findRecord(call: SessionCall): Promise<SessionRecord | undefined> {
    const id = idOf(call);
    return id === undefined ? undefined : sessions.find(keyOf(id));
  }

  /** Hash of the browser's name: from its session, or from its cookie when the session is no longer found. */
  function browserOf(call: SessionCall, record: SessionRecord | undefined): string | undefined {
    const name = findCookie(call, BROWSER_COOKIE);
    return record?.stay.browser ?? (name && hashHeld(name));
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
      const stay = await stays.enter(hashHeld(name), psu);
      const record = { psu, authenticatedAt: authenticatedAt.getTime(), stay };
      await close(call);
      await Promise.all([
        note(id),
        sessions.put(keyOf(id), { ...record, methods }, lasting(SESSION_SECONDS)),
        stays.present(stay, id),
        signIns.put(signInKeyOf(signIn), record, lasting(SIGN_IN_SECONDS)),
      ]);
      return { cookies: [hostCookie(PSU_SESSION_COOKIE, id), browserCookie(name)], signIn };
    },
    async end(call) {
      const browser = browserOf(call, await findRecord(call));
      // Before the session itself: a PSU who is told that signing out failed can still press the button again.
      if (browser !== undefined) await stays.leave(browser);
      await close(call);
      // A new name: somebody who has learnt the old one cannot use it against those who sign in here from now on.
      return { cookies: [hostCookie(PSU_SESSION_COOKIE, "", 0), browserCookie()] };
    },
    endOthers,
    async counts(signIn) {
      const record = await findSignIn(signIn);
      return record !== undefined && stays.lasts(record);
    },
    async countsElsewhere(call, signIn) {
      const id = idOf(call);
      const [record, session] = await Promise.all([findSignIn(signIn), findRecord(call)]);
      if (record === undefined || !(await stays.lasts(record))) return false;
      if (id === undefined || session?.stay.id !== record.stay.id) return true;
      // Idle time does not matter: an authorization waits longer. A former id of the session is void, because it may have been
      // copied.
      return !(await stays.isPresent(id, session));
    },
    async use(signIn) {
      const record = await findSignIn(signIn);
      // Removed first and then judged: a sign-out in between still ends it.
      return record !== undefined && (await signIns.take(signInKeyOf(signIn.id))) && stays.lasts(record);
    },
  };
}
