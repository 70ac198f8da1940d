import type { Log } from "../log/log.ts";

/** What a process has opened, to be closed in the opposite order. */
export interface Lifecycle {
  /** Registers something to close; what is opened last is closed first. */
  onStop(name: string, close: () => Promise<void>): void;
  /** Closes everything once; later calls wait for the same end. */
  stop(): Promise<void>;
  /** False as soon as stopping has begun: readiness goes before anything else. */
  readonly running: boolean;
}

/** Creates an empty lifecycle. */
export function createLifecycle(log: Log): Lifecycle {
  const closers: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    for (const { name, close } of closers.toReversed()) {
      await close().catch((error: unknown) => log.error({ error, part: name }, "a part did not close"));
    }
  }
  return {
    onStop: (name, close) => void closers.push({ name, close }),
    stop: () => {
      stopping ??= closeAll();
      return stopping;
    },
    get running() {
      return stopping === undefined;
    },
  };
}
