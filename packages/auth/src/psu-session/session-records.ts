import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore, RecordTerms } from "../ephemeral/ephemeral-store.ts";
import type { SignInMethod } from "../psu/psu-login.ts";
import { SESSION_SECONDS, type StayingRecord } from "./stays.ts";

/** What is stored of a session, under the hash of its id. */
export interface SessionRecord extends StayingRecord {
  readonly methods: readonly SignInMethod[];
}

/** When a session was last used. A separate record, so that writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** The stores of sessions, which may be lost. */
export interface SessionStores {
  readonly sessions: EphemeralStore<SessionRecord>;
  readonly seen: EphemeralStore<SeenRecord>;
  readonly clock: Clock;
}

/** Sessions by their ids, as far as their own times go; nothing here looks whether their stay goes on. */
export interface SessionRecords {
  /** The record of a session, even of one that was idle for too long. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** The same, but only until the session was idle for five minutes, and until an hour after its sign-in. */
  findInTime(id: string): Promise<SessionRecord | undefined>;
  /** Keeps a session, used now. */
  keep(id: string, record: SessionRecord, lifetimeSeconds: number): Promise<void>;
  /** Seconds until an hour after the sign-in, rounded up; none or fewer once it is over. */
  secondsLeft(record: SessionRecord): number;
  /** Begins the idle time anew. */
  noteUse(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

const IDLE_SECONDS = 300;

/** Keeps the records in these stores. */
export function createSessionRecords({ sessions, seen, clock }: SessionStores): SessionRecords {
  const keyOf = (id: string) => ({ kind: "PsuSession", id });
  const seenKeyOf = (id: string) => ({ kind: "PsuSessionSeen", id });
  const now = () => clock.now().getTime();
  const find = (id: string) => sessions.find(keyOf(id));

  async function noteUse(id: string): Promise<void> {
    await seen.put(seenKeyOf(id), { seenAt: now() }, lasting(IDLE_SECONDS));
  }

  return {
    find,
    async findInTime(id) {
      const [record, last] = await Promise.all([find(id), seen.find(seenKeyOf(id))]);
      if (record === undefined || last === undefined) return undefined;
      const isIdle = now() >= last.seenAt + IDLE_SECONDS * 1000;
      return isIdle || now() >= record.authenticatedAt + SESSION_SECONDS * 1000 ? undefined : record;
    },
    async keep(id, record, lifetimeSeconds) {
      await Promise.all([noteUse(id), sessions.put(keyOf(id), record, lasting(lifetimeSeconds))]);
    },
    secondsLeft: ({ authenticatedAt }) => Math.ceil((authenticatedAt - now()) / 1000) + SESSION_SECONDS,
    noteUse,
    async remove(id) {
      await sessions.take(keyOf(id));
    },
  };
}

function lasting(lifetimeSeconds: number): RecordTerms {
  return { uid: undefined, lifetimeSeconds };
}
