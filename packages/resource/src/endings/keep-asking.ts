import { setTimeout as delay } from "node:timers/promises";
import { createTrouble, type Log } from "@cobs/service-edge";
import { EndingsRefusal } from "./endings-refusal.ts";

/** The pause after a question that failed, and after one that begins anew over and over. */
export const RETRY_MILLISECONDS = 250;

/** Asks auth in a loop, with a pause after each failure. Stopping aborts the signal of the present question and waits for it. */
export function keepAsking(ask: (signal: AbortSignal) => Promise<void>, log: Log): { stop(): Promise<void> } {
  const tell = tellTrouble(log);
  const pausing = new AbortController();
  let asking = new AbortController();
  async function run(): Promise<void> {
    while (!pausing.signal.aborted) {
      // One controller per question: a long-lived signal keeps everything that ever listened to it.
      asking = new AbortController();
      const trouble = await ask(asking.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (pausing.signal.aborted) return;
      tell(trouble);
      if (trouble === undefined) continue;
      await delay(RETRY_MILLISECONDS, undefined, { signal: pausing.signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    stop: () => {
      pausing.abort();
      asking.abort();
      return running;
    },
  };
}

/** Logs each reason why following fails once, and one line when it works again, however often it is tried meanwhile. */
function tellTrouble(log: Log): (error: unknown) => void {
  const trouble = createTrouble();
  return (error) => {
    if (error === undefined) {
      if (trouble.end()) log.info("the event feed of auth is being read again");
    } else if (trouble.isNews(error)) {
      const detail = error instanceof EndingsRefusal ? error.detail : undefined;
      log.warn({ error, detail }, "the event feed of auth cannot be read");
    }
  };
}
