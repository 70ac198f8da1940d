import { type Repeated, repeat } from "../../jobs/repeat.ts";
import type { Log } from "../../log/log.ts";
import type { ServingProcess } from "./serving-process.ts";

const ROUND_MILLISECONDS = 3_000;
/** Rounds in a row that a process may leave unanswered: about half a minute, with the time that each answer may take. */
const MOST_SILENT_ROUNDS = 6;

type Watched = Pick<ServingProcess, "number" | "pid" | "isReady" | "ask" | "kill">;

/**
 * Ends a process that has been ready and no longer answers: it is hung, yet Node still hands it connections. It counts rounds,
 * not time, so that no process is ended after the whole machine has slept.
 */
export function endSilentProcesses(
  processes: () => readonly Watched[],
  log: Log,
  roundMilliseconds: number = ROUND_MILLISECONDS,
): Repeated {
  let silent = new Map<number, number>();

  async function look(each: Watched): Promise<readonly [pid: number, rounds: number]> {
    const lives = (await each.ask("life")) === true;
    const rounds = lives ? 0 : (silent.get(each.pid) ?? 0) + 1;
    if (rounds < MOST_SILENT_ROUNDS) return [each.pid, rounds];
    log.error({ process: each.number, pid: each.pid }, "a process hangs; it is killed");
    each.kill();
    return [each.pid, 0];
  }

  return repeat(
    async () => {
      const ready = processes().filter(({ isReady }) => isReady);
      silent = new Map(await Promise.all(ready.map(look)));
      return roundMilliseconds;
    },
    () => roundMilliseconds,
    roundMilliseconds,
  );
}
