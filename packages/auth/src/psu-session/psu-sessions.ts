import { createHash, randomBytes } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PsuBlocks } from "../psu/psu-blocks.ts";
import type { SignInMethod } from "../psu/psu-login.ts";
import { findCookie, hostCookie } from "./cookie.ts";
import type { OpenPsuSession, PsuSessions, SessionCall } from "./psu-session.ts";

/** What is kept of a session, under the hash of its id. Times are milliseconds since 1970 by our clock. */
export interface SessionRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  readonly methods: readonly SignInMethod[];
}

/** When a session was last used. A record of its own: writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** That all sessions of a PSU ended but one, which is told by the hash of its id. */
export interface OthersEndedRecord {
  readonly endedAt: number;
  readonly keptHash: string;
}

/** What sessions are made from. */
export interface PsuSessionParts {
  readonly sessions: EphemeralStore<SessionRecord>;
  readonly seen: EphemeralStore<SeenRecord>;
  readonly othersEnded: EphemeralStore<OthersEndedRecord>;
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly clock: Clock;
}

const COOKIE = "__Host-psu-session";
const ID_BYTES = 32;
const IDLE_SECONDS = 300;
const ABSOLUTE_SECONDS = 3600;

/** Keeps sessions where everything is kept that may be lost. */
export function createPsuSessions(parts: PsuSessionParts): PsuSessions {
  const { sessions, seen, othersEnded, blocks, clock } = parts;
  const keyOf = (id: string) => ({ kind: "PsuSession", id });
  const seenKeyOf = (id: string) => ({ kind: "PsuSessionSeen", id });
  const endedKeyOf = (psu: string) => ({ kind: "PsuSessionsEnded", id: psu });
  const idOf = (call: SessionCall) => findCookie(call, COOKIE);

  async function note(id: string): Promise<void> {
    const terms = { uid: undefined, lifetimeSeconds: IDLE_SECONDS };
    await seen.put(seenKeyOf(id), { seenAt: clock.now().getTime() }, terms);
  }

  async function close(call: SessionCall): Promise<void> {
    const id = idOf(call);
    if (id !== undefined) await sessions.take(keyOf(id));
  }

  async function findLiving(id: string): Promise<OpenPsuSession | undefined> {
    const [record, last] = await Promise.all([sessions.find(keyOf(id)), seen.find(seenKeyOf(id))]);
    if (record === undefined || last === undefined) return undefined;
    const now = clock.now().getTime();
    const idle = now >= last.seenAt + IDLE_SECONDS * 1000;
    if (idle || now >= record.authenticatedAt + ABSOLUTE_SECONDS * 1000) return undefined;
    const { authenticatedAt, methods } = record;
    const ended = await othersEnded.find(endedKeyOf(record.psu));
    if (ended !== undefined && authenticatedAt <= ended.endedAt && ended.keptHash !== hash(id))
      return undefined;
    return { id, psu: parsePsuId(record.psu), authenticatedAt: new Date(authenticatedAt), methods };
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
      const id = randomBytes(ID_BYTES).toString("base64url");
      const record = { psu, authenticatedAt: authenticatedAt.getTime(), methods };
      await close(call);
      const terms = { uid: undefined, lifetimeSeconds: ABSOLUTE_SECONDS };
      await Promise.all([note(id), sessions.put(keyOf(id), record, terms)]);
      return { cookie: hostCookie(COOKIE, id) };
    },
    async end(call) {
      await close(call);
      return { cookie: hostCookie(COOKIE, "", 0) };
    },
    async endOthers({ id, psu }) {
      const record = { endedAt: clock.now().getTime(), keptHash: hash(id) };
      // No session from before lives longer than this record.
      await othersEnded.put(endedKeyOf(psu), record, { uid: undefined, lifetimeSeconds: ABSOLUTE_SECONDS });
    },
  };
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
