import {
  createTrouble,
  isDatabaseUnavailable,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
} from "@cobs/service-edge";
import type { KeyStore } from "./key-store.ts";
import { KEY_USES, type KeyUse, type ServerKey } from "./server-key.ts";
import { parseSigningKeys, type SigningKeys } from "./signing-keys.ts";

/** Keys that one process signs with and accepts. The object stays the same until a key changes. */
export interface KeysInUse {
  /** The first one signs; all are published. */
  readonly signing: SigningKeys;
  /** The first one signs; all are accepted. */
  readonly cookies: readonly string[];
}

/** The current keys, kept up to date. */
export interface FollowedKeys {
  /** Returns the keys of the last look, at most a second ago while the database answers. Never waits. */
  current(): KeysInUse;
  /** Looks now, so that changes made before the call are included. Concurrent callers share looks; one runs at a time. */
  refresh(): Promise<void>;
}

const LOOK_MILLISECONDS = 1_000;

// The first one signs, even when the database's clock was set back to before all of them.
function secretsOf(use: KeyUse, keys: readonly ServerKey[]): readonly string[] {
  const own = keys.filter((key) => key.use === use);
  if (own.length === 0) throw new TypeError(`there is no ${use} key`);
  return own.map(({ secret }) => secret.reveal());
}

function arrange(keys: readonly ServerKey[]): KeysInUse {
  return {
    signing: parseSigningKeys(`{"keys":[${secretsOf("signing", keys).join()}]}`),
    cookies: secretsOf("cookie", keys),
  };
}

/** Makes each caller wait for a run that began after its call; at most one runs at a time. */
function runForLaterCallers(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (next !== undefined) return next;
    next = last
      // The callers of that run have got its failure.
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    last = next;
    return next;
  };
}

/** Job that looks every second until it is stopped, and makes the keys that are due by age. The first look must succeed. */
export async function followKeys(
  store: Pick<KeyStore, "inUse" | "announceDue">,
  log: Log,
  again: Repeat = repeat,
): Promise<FollowedKeys & Repeated> {
  let known = "";
  let current: KeysInUse | undefined;
  let due: readonly KeyUse[] = [];

  async function look(): Promise<void> {
    const read = await store.inUse();
    due = read.due;
    const named = read.keys.map(({ use, kid, state }) => `${use} ${kid} ${state}`);
    if (named.join() === known) return;
    current = arrange(read.keys);
    known = named.join();
    log.info({ keys: named }, "keys in use");
  }

  const refresh = runForLaterCallers(look);
  await refresh();

  async function lookAndAnnounce(): Promise<void> {
    due = [];
    try {
      await refresh();
    } finally {
      // Also for a use of which the look has found no key: its next one signs at once.
      for (const use of KEY_USES.filter((each) => due.includes(each))) await store.announceDue(use);
    }
  }

  const looking = keepLooking(lookAndAnnounce, log, again);
  return {
    current: () => {
      if (current === undefined) throw new TypeError("keys are used before the first look");
      return current;
    },
    refresh,
    stop: looking.stop,
  };
}

/** Logs each reason of an outage once, however many looks fail in it. */
function keepLooking(look: () => Promise<void>, log: Log, again: Repeat): Repeated {
  const trouble = createTrouble();
  const tell = (error: unknown) => {
    if (trouble.isNews(error))
      log[isDatabaseUnavailable(error) ? "warn" : "error"](
        { error },
        "the keys in use could not be reloaded",
      );
    return LOOK_MILLISECONDS;
  };
  const lookOnce = async () => {
    await look();
    trouble.end();
    return LOOK_MILLISECONDS;
  };
  return again(lookOnce, tell, LOOK_MILLISECONDS);
}
