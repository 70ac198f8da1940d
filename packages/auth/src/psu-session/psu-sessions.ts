import { createHash, randomBytes } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PsuBlocks } from "../psu/psu-blocks.ts";
import type { SignInMethod } from "../psu/psu-login.ts";
import { findCookie, hostCookie, PSU_SESSION_COOKIE } from "./cookie.ts";
import type { OpenPsuSession, PsuSessions, SessionCall, SignInOfPsu } from "./psu-session.ts";

/** What is kept of a session, under the hash of its id. Times are milliseconds since 1970 by our clock. */
export interface SessionRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
  readonly methods: readonly SignInMethod[];
  /** Those of this PSU in this browser on which something may rest still; absent in a record of an earlier version. */
  readonly signIns?: readonly ListedSignIn[];
}

interface ListedSignIn {
  readonly id: string;
  readonly at: number;
}

/** That somebody has signed in, under the id of the sign-in: removed, and not marked, when it ends, so that no loss revives it. */
export interface SignInRecord {
  readonly psu: string;
  readonly authenticatedAt: number;
}

/** When a session was last used. A record of its own: writing it cannot bring back a session that ended meanwhile. */
export interface SeenRecord {
  readonly seenAt: number;
}

/** That all sessions of a PSU ended but one, which is told by the hash of its id, with all sign-ins but those of its browser. */
export interface OthersEndedRecord {
  readonly endedAt: number;
  readonly keptHash: string;
  readonly keptSignIns?: readonly string[];
}

/** What sessions are made from. */
export interface PsuSessionParts {
  readonly sessions: EphemeralStore<SessionRecord>;
  readonly seen: EphemeralStore<SeenRecord>;
  readonly signIns: EphemeralStore<SignInRecord>;
  readonly othersEnded: EphemeralStore<OthersEndedRecord>;
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly clock: Clock;
}

const ID_BYTES = 32;
const IDLE_SECONDS = 300;
const ABSOLUTE_SECONDS = 3600;
/** Longer than an authorization can rest on a sign-in: it waits ten minutes at most for each of its two pages. */
const SIGN_IN_SECONDS = 1800;

/** Keeps sessions where everything is kept that may be lost. */
export function createPsuSessions(parts: PsuSessionParts): PsuSessions {
  const { sessions, seen, signIns, othersEnded, blocks, clock } = parts;
  const keyOf = (id: string) => ({ kind: "PsuSession", id });
  const replacedKeyOf = (id: string) => ({ kind: "PsuSessionReplaced", id });
  const seenKeyOf = (id: string) => ({ kind: "PsuSessionSeen", id });
  const signInKeyOf = (id: string) => ({ kind: "PsuSignIn", id });
  const endedKeyOf = (psu: string) => ({ kind: "PsuSessionsEnded", id: psu });
  const idOf = (call: SessionCall) => findCookie(call, PSU_SESSION_COOKIE);

  async function note(id: string): Promise<void> {
    const terms = { uid: undefined, lifetimeSeconds: IDLE_SECONDS };
    await seen.put(seenKeyOf(id), { seenAt: clock.now().getTime() }, terms);
  }

  async function close(call: SessionCall): Promise<void> {
    const id = idOf(call);
    if (id !== undefined) await sessions.take(keyOf(id));
  }

  /** Also of a session that is idle by now: something may rest on its sign-ins still. */
  async function findRecord(id: string | undefined): Promise<SessionRecord | undefined> {
    if (id === undefined) return undefined;
    return (await sessions.find(keyOf(id))) ?? sessions.find(replacedKeyOf(id));
  }

  /** Before the session itself, so that who is told of a failure can sign out again. */
  async function endSignIns({ signIns: listed = [] }: SessionRecord): Promise<void> {
    await Promise.all(listed.map(({ id }) => signIns.take(signInKeyOf(id))));
  }

  /**
   * Ends the session of a browser, which may not hear of the one that takes its place: what it holds opens nothing any more, but
   * a sign-out with it, and a sign-in of somebody else, still find what to end.
   */
  async function replace(call: SessionCall, record: SessionRecord): Promise<void> {
    const id = idOf(call);
    if (id !== undefined)
      await sessions.put(replacedKeyOf(id), record, { uid: undefined, lifetimeSeconds: SIGN_IN_SECONDS });
    await close(call);
  }

  /** What a new session in the place of another one takes over: nothing of somebody else, whose sign-ins end. */
  async function inherit(former: SessionRecord | undefined, psu: PsuId): Promise<readonly ListedSignIn[]> {
    if (former === undefined) return [];
    if (former.psu !== psu) {
      await endSignIns(former);
      return [];
    }
    const oldest = clock.now().getTime() - SIGN_IN_SECONDS * 1000;
    return former.signIns?.filter(({ at }) => at > oldest) ?? [];
  }

  async function counts({ psu, id }: SignInOfPsu): Promise<boolean> {
    if (id === undefined) return true;
    const [record, ended] = await Promise.all([
      signIns.find(signInKeyOf(id)),
      othersEnded.find(endedKeyOf(psu)),
    ]);
    if (record?.psu !== psu) return false;
    return ended === undefined || record.authenticatedAt > ended.endedAt || isKept(ended, id);
  }

  /** Of the sign-ins of a session those that count: what another browser has ended stays so when this one ends others. */
  async function findCounting(session: string, psu: PsuId): Promise<readonly string[]> {
    const listed = (await findRecord(session))?.signIns ?? [];
    const found = await Promise.all(listed.map(async ({ id }) => ((await counts({ psu, id })) ? [id] : [])));
    return found.flat();
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
      const [id, signIn] = [createId(), createId()];
      const at = authenticatedAt.getTime();
      const inherited = await inherit(await findRecord(idOf(call)), psu);
      const record = {
        ...{ psu, authenticatedAt: at, methods },
        signIns: [{ id: signIn, at }, ...inherited],
      };
      await replace(call, record);
      const terms = { uid: undefined, lifetimeSeconds: ABSOLUTE_SECONDS };
      await Promise.all([
        note(id),
        sessions.put(keyOf(id), record, terms),
        signIns.put(
          signInKeyOf(signIn),
          { psu, authenticatedAt: at },
          { ...terms, lifetimeSeconds: SIGN_IN_SECONDS },
        ),
      ]);
      return { cookie: hostCookie(PSU_SESSION_COOKIE, id), signIn };
    },
    async end(call) {
      const record = await findRecord(idOf(call));
      if (record !== undefined) await endSignIns(record);
      await close(call);
      return { cookie: hostCookie(PSU_SESSION_COOKIE, "", 0) };
    },
    async endOthers({ id, psu }) {
      const endedAt = clock.now().getTime();
      const keptSignIns = await findCounting(id, psu);
      const record = { endedAt, keptHash: hash(id), keptSignIns };
      // No session from before lives longer than this record.
      await othersEnded.put(endedKeyOf(psu), record, { uid: undefined, lifetimeSeconds: ABSOLUTE_SECONDS });
    },
    counts,
    async use(signIn) {
      if (!(await counts(signIn))) return false;
      return signIn.id === undefined || signIns.take(signInKeyOf(signIn.id));
    },
  };
}

function isKept({ keptSignIns = [] }: OthersEndedRecord, signIn: string): boolean {
  return keptSignIns.includes(signIn);
}

function createId(): string {
  return randomBytes(ID_BYTES).toString("base64url");
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
