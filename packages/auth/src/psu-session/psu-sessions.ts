/**
 * Sessions of PSUs, kept in the ephemeral store under hashes of what browsers hold. A sign-in leaves behind:
 *
 * - a **session**, whose id the browser has as a cookie, and beside it the time when it was last used (session-records.ts);
 * - a **sign-in**, on which the authorization or approval that it was made for rests until it is used there
 *   (sign-in-records.ts).
 *
 * Both belong to a **stay** of the PSU in that browser, and end with it (stays.ts).
 *
 * All of these records may be lost: then the PSU signs in again. But a loss must not bring back what was ended. So whatever ends
 * something removes a record, or writes a mark that outlives what it has ended. Times in records are milliseconds since 1970 by
 * our clock.
 */
import { parsePsuId } from "@cobs/cobs-model";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PsuBlocks } from "../psu-block/psu-blocks.ts";
import {
  BROWSER_COOKIE,
  browserCookie,
  createId,
  findCookie,
  hostCookie,
  PSU_SESSION_COOKIE,
} from "./cookie.ts";
import type { OpenPsuSession, PsuSessions, RenewedSession, SessionCall } from "./psu-session.ts";
import { createSessionRecords, type SessionRecord, type SessionStores } from "./session-records.ts";
import { createSignInRecords, type SignInRecord } from "./sign-in-records.ts";
import { createStays, hashHeld, SESSION_SECONDS, type StayParts } from "./stays.ts";
import { untilFirst } from "./until-first.ts";

/** What sessions are made from. */
export interface PsuSessionParts extends StayParts, SessionStores {
  readonly signIns: EphemeralStore<SignInRecord>;
  readonly blocks: Pick<PsuBlocks, "admits">;
}

/** Keeps sessions in the ephemeral store, which may be lost. */
export function createPsuSessions(parts: PsuSessionParts): PsuSessions {
  const { blocks } = parts;
  const stays = createStays(parts);
  const sessions = createSessionRecords(parts);
  const signIns = createSignInRecords(parts.signIns, stays);

  /** Finds a session that has not ended, whether or not its PSU is blocked. */
  async function findLiving(id: string): Promise<OpenPsuSession | undefined> {
    const record = await sessions.findInTime(id);
    if (record === undefined) return undefined;
    const living = await Promise.all([stays.lasts(record), stays.isPresent(id, record)]);
    if (living.includes(false)) return undefined;
    const { psu, authenticatedAt, methods } = record;
    return { id, psu: parsePsuId(psu), authenticatedAt: new Date(authenticatedAt), methods };
  }

  async function findRecord(call: SessionCall): Promise<SessionRecord | undefined> {
    const id = idOf(call);
    return id === undefined ? undefined : sessions.find(id);
  }

  async function close(call: SessionCall): Promise<void> {
    const id = idOf(call);
    if (id !== undefined) await sessions.remove(id);
  }

  /**
   * Gives the session another id. One write makes the new id the present one and the former void, unless the former was void
   * already.
   */
  async function renew(former: string, record: SessionRecord): Promise<RenewedSession> {
    const left = sessions.secondsLeft(record);
    if (left <= 0) return { id: former, cookies: [] };
    const id = createId();
    await sessions.keep(id, record, left);
    if (!(await stays.presentInPlaceOf(former, record.stay, id))) return { id: former, cookies: [] };
    return { id, cookies: [hostCookie(PSU_SESSION_COOKIE, id)] };
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
      await sessions.noteUse(session.id);
      return session;
    },
    async begin(call, { psu, authenticatedAt, methods }) {
      const id = createId();
      const name = findCookie(call, BROWSER_COOKIE) ?? createId();
      const stay = await stays.enter(hashHeld(name), psu);
      const record = { psu, authenticatedAt: authenticatedAt.getTime(), stay };
      await close(call);
      const [signIn] = await Promise.all([
        signIns.keep(record),
        sessions.keep(id, { ...record, methods }, SESSION_SECONDS),
        stays.present(stay, id),
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
    async endOthers({ id, psu }) {
      const [record, own] = await untilFirst(async () => {
        const found = await sessions.find(id);
        const ended = await stays.endOthers(psu, found);
        return ended === "overtaken" ? undefined : [found, ended];
      });
      return record && own === "kept" ? renew(id, record) : { id, cookies: [] };
    },
    async counts(signIn) {
      return (await signIns.findCounting(signIn)) !== undefined;
    },
    async countsElsewhere(call, signIn) {
      const id = idOf(call);
      const [record, session] = await Promise.all([signIns.findCounting(signIn), findRecord(call)]);
      if (record === undefined) return false;
      if (id === undefined || session?.stay.id !== record.stay.id) return true;
      // Idle time does not matter: an authorization waits longer. A former id of the session is void, because it may have been
      // copied.
      return !(await stays.isPresent(id, session));
    },
    use: signIns.use,
  };
}

function idOf(call: SessionCall): string | undefined {
  return findCookie(call, PSU_SESSION_COOKIE);
}

/** Hash of the browser's name: from its session, or from its cookie when the session is no longer found. */
function browserOf(call: SessionCall, record: SessionRecord | undefined): string | undefined {
  const name = findCookie(call, BROWSER_COOKIE);
  return record?.stay.browser ?? (name && hashHeld(name));
}
