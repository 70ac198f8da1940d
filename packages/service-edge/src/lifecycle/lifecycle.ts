import type { Log } from "../log/log.ts";

/** A way by which callers reach the process. */
export interface Entrance {
  /** Sends callers elsewhere, and still answers all that come. */
  drain(): void;
  /** Admits no more callers, and resolves when every call under way is answered. */
  close(): Promise<void>;
}

/** Everything that a process has opened: its entrances, and the parts behind them, closed in the opposite order. */
export interface Lifecycle {
  /** Registers an entrance; all are closed together, before anything else. One that comes after that has begun is closed at once. */
  onDrain(name: string, entrance: Entrance): void;
  /**
   * Registers something to close; what was opened last is closed first. What comes after closing has begun, from a start that is
   * still under way, is closed at once: what it needs is closed already.
   */
  onStop(name: string, close: () => Promise<void>): void;
  /** Ends readiness and sends callers elsewhere; calls are still answered. May be called again. */
  drain(): void;
  /** Drains, then closes everything once; later calls wait for the same end. */
  stop(): Promise<void>;
  /** False as soon as draining or stopping has begun: readiness ends before anything else. */
  readonly running: boolean;
}

interface Part {
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** Creates an empty lifecycle. */
export function createLifecycle(log: Log): Lifecycle {
  const entrances: (Part & Entrance)[] = [];
  const closers: Part[] = [];
  let running = true;
  let stopping: Promise<void> | undefined;

  const close = (part: Part) =>
    part.close().catch((error: unknown) => log.error({ error, part: part.name }, "a part did not close"));

  function drain(): void {
    if (!running) return;
    running = false;
    for (const entrance of entrances) entrance.drain();
  }
  async function closeAll(): Promise<void> {
    drain();
    await Promise.all(entrances.map(close));
    for (const part of closers.toReversed()) await close(part);
  }
  function add(part: Part): void {
    if (stopping === undefined) closers.push(part);
    else void close(part);
  }
  function addEntrance(entrance: Part & Entrance): void {
    if (stopping === undefined) return void entrances.push(entrance);
    entrance.drain();
    void close(entrance);
  }
  return {
    onDrain: (name, entrance) => addEntrance({ ...entrance, name }),
    onStop: (name, closePart) => add({ name, close: closePart }),
    drain,
    stop: () => {
      stopping ??= closeAll();
      return stopping;
    },
    get running() {
      return running;
    },
  };
}
