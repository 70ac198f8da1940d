/** Shows people the progress of long work; programs do not read it. */
export type Progress = {
  /** Told how many steps are done. */
  readonly reached: (done: number) => void;
  /** Told that another run of the same name comes first. */
  readonly waits: () => void;
  readonly ended: () => void;
};

/** Where progress is written: on a terminal one line that changes, elsewhere a line now and then. */
export type ProgressPlace = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly now: () => number;
};

const TERMINAL_MS = 200;
const LOG_MS = 2_000;

/** Opens the progress of work with `total` steps. */
export function openProgress(total: number, { write, isTerminal, now }: ProgressPlace): Progress {
  const begun = now();
  let told = begun;
  const say = (line: string) => write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
  const tell = (done: number) => {
    told = now();
    // Capped, because the bank's own entries come last and are not in the total.
    say(presentProgress({ done: Math.min(done, total), total, milliseconds: told - begun }));
  };
  return {
    reached: (done) => {
      if (now() - told >= (isTerminal ? TERMINAL_MS : LOG_MS)) tell(done);
    },
    waits: () => say("waiting for another run with this --seed"),
    ended: () => {
      if (isTerminal) write("\r\u001b[K");
    },
  };
}

/** Text of the progress: how far, how fast, and how long it will still take at that rate. */
export function presentProgress({
  done,
  total,
  milliseconds,
}: {
  readonly done: number;
  readonly total: number;
  readonly milliseconds: number;
}): string {
  const rate = milliseconds === 0 ? 0 : (done / milliseconds) * 1000;
  const percent = Math.floor((done / total) * 100);
  const left = rate === 0 ? "" : `, ${presentDuration((total - done) / rate)} left`;
  return `${grouped(done)} of ${grouped(total)} transactions (${percent} %), ${grouped(rate)}/s${left}`;
}

function presentDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}
