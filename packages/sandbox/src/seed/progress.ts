/** Tells people how far a long work is; programs read nothing of it. */
export type Progress = {
  /** So many are done by now. */
  readonly reached: (done: number) => void;
  /** Another one of the same name comes first. */
  readonly waits: () => void;
  readonly ended: () => void;
};

/** Where it is written: one line that changes on a terminal, and a line now and then elsewhere. */
export type ProgressPlace = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly now: () => number;
};

const TERMINAL_MS = 200;
const LOG_MS = 2_000;

/** Opens it for a work of so many steps. */
export function openProgress(total: number, { write, isTerminal, now }: ProgressPlace): Progress {
  const begun = now();
  let told = begun;
  const say = (line: string) => write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
  const tell = (done: number) => {
    told = now();
    // The bank's own entries, which nobody ordered, are done last.
    say(presentProgress({ done: Math.min(done, total), total, milliseconds: told - begun }));
  };
  return {
    reached: (done) => {
      if (now() - told >= (isTerminal ? TERMINAL_MS : LOG_MS)) tell(done);
    },
    waits: () => say("waiting for another seed of this name"),
    ended: () => {
      if (isTerminal) write("\r\u001b[K");
    },
  };
}

/** How far it is, how fast, and how long it will still take at that rate. */
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
