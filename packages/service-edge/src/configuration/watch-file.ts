import { isDeepStrictEqual } from "node:util";
import { fileVersion } from "./file-version.ts";
import { readWholeFile } from "./read-whole-file.ts";

/** The file to watch, and callbacks for its changes. */
export interface WatchedFile<T> {
  readonly path: string;
  /** Parses the file; throws for content that cannot be used. */
  readonly parse: (text: string) => T;
  /** Returns the content of a value as data, for comparison; it leaves out whatever using the value has added to it. */
  readonly contentOf: (value: T) => unknown;
  /** Returns why a valid value must not replace the present one, or undefined to accept it. */
  readonly accept?: (next: T, current: T) => string | undefined;
  /** The value read at start-up; a change of the file since then, before the watch began, is found too. */
  readonly current: T;
  readonly onChange: (value: T) => void;
  /** Called when the file again holds what is in force, as when a refused file is put back. */
  readonly onUnchanged?: () => void;
  /** Called with the reason, once for each state of the file. */
  readonly onRefusal: (reason: string) => void;
  readonly intervalMilliseconds?: number;
}

/** A file that is being watched. */
export interface FileWatch {
  /** Ends the watch; nothing is called after it. */
  stop(): void;
}

const INTERVAL_MILLISECONDS = 1_000;
/** Far more than any file that a person has reviewed. */
const MAX_OCTETS = 16_777_216;

/**
 * Reloads a file when it changes. It polls, which works on every file system and for every way of replacing a file. A missing,
 * unreadable or refused file changes nothing.
 */
export function watchFile<T>(file: WatchedFile<T>): FileWatch {
  let stopped = false;
  let looking = false;
  const look = lookFor({
    ...file,
    onChange: (value) => void (stopped || file.onChange(value)),
    onUnchanged: () => void (stopped || file.onUnchanged?.()),
    onRefusal: (reason) => void (stopped || file.onRefusal(reason)),
  });
  const lookAgain = async () => {
    if (looking) return;
    looking = true;
    await look();
    looking = false;
  };
  void lookAgain();
  const timer = setInterval(lookAgain, file.intervalMilliseconds ?? INTERVAL_MILLISECONDS).unref();
  return {
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

function lookFor<T>(file: WatchedFile<T>): () => Promise<void> {
  const takeUp = takerUp(file);
  let seen: string | undefined;
  let text: string | undefined;
  let trouble: string | undefined;
  return async () => {
    try {
      const version = await fileVersion(file.path);
      if (version === seen) return;
      const found = await readWholeFile(file.path, MAX_OCTETS);
      seen = version;
      trouble = undefined;
      // The version was read before the content, which may be newer. The next round then reads the same text again.
      if (found === text) return;
      text = found;
      takeUp(found);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== trouble) file.onRefusal(reason);
      trouble = reason;
      seen = undefined;
      text = undefined;
    }
  };
}

/** Puts a text into force unless it has a fault. */
function takerUp<T>(file: WatchedFile<T>): (text: string) => void {
  const { contentOf } = file;
  let { current } = file;
  return (text) => {
    try {
      const next = file.parse(text);
      if (isDeepStrictEqual(contentOf(next), contentOf(current))) return file.onUnchanged?.();
      const objection = file.accept?.(next, current);
      if (objection !== undefined) return file.onRefusal(objection);
      file.onChange(next);
      current = next;
    } catch (error) {
      file.onRefusal(reasonOf(error));
    }
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
