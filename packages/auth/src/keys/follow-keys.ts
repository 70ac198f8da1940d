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

/** What one process signs with and accepts. The same object as long as nothing of it has changed. */
export interface KeysInUse {
  /** The first signs, all are published. */
  readonly signing: SigningKeys;
  /** The first signs, all are accepted. */
  readonly cookies: readonly string[];
}

/** The keys, followed while they change. */
export interface FollowedKeys {
  /** As they were at the last look, a second ago at most while the database answers. Never waits. */
  current(): KeysInUse;
  /** Looks now: whatever was changed before the call counts afterwards. Any number of callers cost one look at a time. */
  refresh(): Promise<void>;
}

const LOOK_MILLISECONDS = 1_000;

// The first one signs, also when the clock of the database went back to before all of them.
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

/** Lets each caller wait for a run that began after its call; never are two under way. */
function runForLaterCallers(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (next !== undefined) return next;
    next = last
      // Whoever waited for that run has been told that it failed.
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    last = next;
    return next;
  };
}

/** Looks again and again until it is stopped, and makes the keys that are due by age. The first look must succeed. */
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
    await refresh();
    for (const use of KEY_USES.filter((each) => due.includes(each))) await store.announceDue(use);
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

/** One line for each reason of a trouble, however often it is looked meanwhile. */
function keepLooking(look: () => Promise<void>, log: Log, again: Repeat): Repeated {
  const trouble = createTrouble();
  const tell = (error: unknown) => {
    if (trouble.isNews(error))
      log[isDatabaseUnavailable(error) ? "warn" : "error"]({ error }, "keys cannot be followed");
    return LOOK_MILLISECONDS;
  };
  const lookOnce = async () => {
    await look();
    trouble.end();
    return LOOK_MILLISECONDS;
  };
  return again(lookOnce, tell, LOOK_MILLISECONDS);
}
