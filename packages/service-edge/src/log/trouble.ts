import { describeError } from "./log.ts";

/** A trouble that may last and of which the log is told once for each reason, however often it is tried meanwhile. */
export interface Trouble {
  /** Whether it has not had this reason since it began: the first one is seldom the one that lasts. */
  isNews(error: unknown): boolean;
  /** Says that it is over, and whether there was one. */
  end(): boolean;
}

/** More than a trouble has; reasons that differ each time are told no further. */
const MOST_REASONS = 50;

/** One that has not begun. */
export function createTrouble(): Trouble {
  const told = new Set<string>();
  return {
    isNews: (error) => {
      if (told.size >= MOST_REASONS) return false;
      const before = told.size;
      return told.add(reasonOf(error)).size > before;
    },
    end: () => {
      const wasThere = told.size > 0;
      told.clear();
      return wasThere;
    },
  };
}

function reasonOf(error: unknown): string {
  const { name, code, message, reason } = describeError(error);
  return JSON.stringify([name, code, message, reason]);
}
