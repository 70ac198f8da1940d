import { randomUUID } from "node:crypto";

/** The event feed of an authorization server, written by a test. */
export interface TestFeed {
  /** Position of the newest event. */
  head: number;
  /** While true, requests for the feed are not answered: their connections end. */
  isCut: boolean;
  /** Highest position that a reader has confirmed. */
  readonly takenUpTo: number;
  /** Adds an event that something has ended, and returns its position. */
  tell(kind: string, key: string): number;
  /** Mark of the newest event; undefined if that is not kept. */
  readonly mark: string | undefined;
  /** Loses the newest event, like a standby that takes over without it. */
  lose(): void;
  /** Forgets all events up to the head, as after a long time. */
  forget(): void;
  /** What a reader gets; undefined if the events after the position are not kept, or the event there has another mark. */
  after(position: number, mark: string | null, waitMilliseconds: number): Promise<TestBatch | undefined>;
}

/** A batch in its wire form. */
export interface TestBatch {
  readonly head: number;
  readonly events: readonly TestEvent[];
}

interface TestEvent {
  readonly position: number;
  readonly mark: string;
  readonly kind: string;
  readonly key: string;
}

/** Starts an empty feed. */
export function startTestFeed(): TestFeed {
  let events: TestEvent[] = [];
  let keptAfter = 0;
  let takenUpTo = 0;
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const newsOr = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  const feed: TestFeed = {
    head: 0,
    isCut: false,
    get takenUpTo() {
      return takenUpTo;
    },
    tell: (kind, key) => {
      feed.head += 1;
      events.push({ position: feed.head, mark: randomUUID(), kind, key });
      wakeAll();
      return feed.head;
    },
    get mark() {
      return events.at(-1)?.mark;
    },
    lose: () => {
      events.pop();
      feed.head -= 1;
    },
    forget: () => {
      events = [];
      keptAfter = feed.head;
      wakeAll();
    },
    after: async (position, mark, waitMilliseconds) => {
      takenUpTo = Math.max(takenUpTo, position);
      if (position === feed.head && waitMilliseconds > 0) await newsOr(waitMilliseconds);
      if (position < keptAfter || position > feed.head) return undefined;
      if (mark !== null && events.find((event) => event.position === position)?.mark !== mark)
        return undefined;
      return { head: feed.head, events: events.filter((event) => event.position > position) };
    },
  };
  return feed;
}
