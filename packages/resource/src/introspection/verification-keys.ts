import { type Clock, createTrouble, type Log, type PrivateClient } from "@cobs/service-edge";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from "jose";
import { readMembers } from "../auth-answers/members-of.ts";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import { IntrospectionRefusal } from "./introspection-refusal.ts";

/**
 * The keys with which auth signs its answers, fetched over the bank listener and remembered for a minute. They are forgotten
 * when auth reports that it dropped one; while auth cannot report it, the stop list admits nobody.
 */
export interface VerificationKeys extends EndingTaker {
  /** Finds the key that a signature names; an unknown key id makes it fetch the keys again, at most every five seconds. */
  readonly find: JWTVerifyGetKey;
  /** Whether the keys were ever fetched, even if they are forgotten by now; tries to fetch them if they were not. */
  wereFetched(): Promise<boolean>;
}

// A retired key verifies nothing after a minute.
const MAX_AGE_MILLISECONDS = 60_000;
const UNKNOWN_KEY_PAUSE_MILLISECONDS = 5_000;

interface FetchedKeys {
  readonly find: LocalJWKSet;
  readonly sentAt: number;
}

/** What the keys are fetched with. */
export interface VerificationKeysParts {
  readonly client: Pick<PrivateClient, "get">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps auth's key set; a failure to fetch it is thrown to whoever needs a key, and never remembered. */
export function fetchVerificationKeys({ client, clock, log }: VerificationKeysParts): VerificationKeys {
  const tell = tellTrouble(log);
  let fetched: FetchedKeys | undefined;
  let fetching: Promise<FetchedKeys> | undefined;
  let wereEverFetched = false;

  async function fetchKeys(): Promise<FetchedKeys> {
    const sentAt = clock.monotonicMilliseconds();
    const answer = await client.get("/oauth/jwks", { accept: "application/json" });
    if (answer.status !== 200)
      throw new IntrospectionRefusal("keys_unusable", `the key set was answered with ${answer.status}`);
    return { find: createLocalJWKSet(parseKeySet(answer.body)), sentAt };
  }

  async function fetchLatest(): Promise<FetchedKeys> {
    const asked = fetchKeys();
    fetching = asked;
    // A key set that was on its way when a key was dropped may still contain it, so it is not remembered.
    const isLatest = () => fetching === asked;
    try {
      const keys = await asked;
      wereEverFetched = true;
      if (isLatest()) fetched = keys;
      return keys;
    } finally {
      if (isLatest()) fetching = undefined;
    }
  }

  const fetchOnce = () => fetching ?? fetchLatest();

  function forget(): void {
    fetched = undefined;
    fetching = undefined;
  }

  const isYounger = (keys: FetchedKeys, milliseconds: number) =>
    clock.monotonicMilliseconds() - keys.sentAt < milliseconds;

  return {
    find: async (header, token) => {
      const remembered = fetched !== undefined && isYounger(fetched, MAX_AGE_MILLISECONDS);
      const keys = remembered ? fetched : undefined;
      const current = keys ?? (await fetchOnce());
      try {
        return await current.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (isYounger(current, UNKNOWN_KEY_PAUSE_MILLISECONDS)) throw error;
        return (await fetchOnce()).find(header, token);
      }
    },
    begin: forget,
    take: (ending: Ending) => {
      if (ending.kind === "signing_key_dropped" || ending.kind === "unknown") forget();
    },
    wereFetched: async () => {
      if (wereEverFetched) return tell(undefined);
      return fetchOnce().then(
        () => tell(undefined),
        (error: unknown) => tell(error),
      );
    },
  };
}

/** Logs each reason once, and one line when it is over, however often `/readyz` is asked; tells whether all is well. */
function tellTrouble(log: Log): (error: unknown) => boolean {
  const trouble = createTrouble();
  return (error) => {
    if (error === undefined) {
      if (trouble.end()) log.info("the keys of auth have been fetched");
    } else if (trouble.isNews(error)) {
      const detail = error instanceof IntrospectionRefusal ? error.detail : undefined;
      log.warn({ error, detail }, "the keys of auth cannot be fetched");
    }
    return error === undefined;
  };
}

function parseKeySet(text: string): JSONWebKeySet {
  return readMembers(text, [IntrospectionRefusal, "keys_unusable"], (members) => {
    if (isKeySet(members)) return members;
    throw new TypeError("the key set is not a JWK Set");
  });
}

function isKeySet(members: object): members is JSONWebKeySet {
  return "keys" in members && Array.isArray(members.keys);
}
