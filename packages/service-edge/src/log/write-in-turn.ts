import { write, writeSync } from "node:fs";
import { countLostLines } from "./lost-lines.ts";

/** Most octets that wait for a hung reader, or for space on a disk; text beyond this is lost, and counted. */
const MOST_WAITING_OCTETS = 64 * 1_024 * 1_024;
/**
 * Pause before a full pipe is tried again. At this rate a Linux pipe of 64 KiB takes the lines of ten thousand calls a second.
 */
const FULL_PIPE_MILLISECONDS = 10;
/** Most milliseconds that `writeAtOnce` waits for a hung reader. */
const LONGEST_BLOCK_MILLISECONDS = 1_000;

/** Writes texts to a file descriptor. */
export interface TurnWriter {
  /** Returns at once; each text is one write of the kernel, if the kernel takes it whole. */
  write(text: string): void;
  /** Writes all waiting texts and this one before it returns, except a text whose write is already under way. */
  writeAtOnce(text: string): void;
}

/**
 * Writes texts one after the other. What cannot be written, as on a full disk, is tried again with the next text. No error
 * here is thrown, stops the process or delays its end. If nobody reads the pipe any more, nothing is kept.
 */
export function writeInTurn(descriptor: number): TurnWriter {
  let waiting: Buffer[] = [];
  let waitingOctets = 0;
  let isWriting = false;

  /** Keeps a text; the rest of a partly written one goes first. */
  function keep(data: Buffer, first: boolean): void {
    if (data.length === 0) return;
    if (first) waiting.unshift(data);
    else waiting.push(data);
    waitingOctets += data.length;
  }

  function take(): Buffer | undefined {
    const data = waiting.shift();
    waitingOctets -= data?.length ?? 0;
    return data;
  }

  function forgetAll(): void {
    for (const data of waiting) countLostLines(data);
    waiting = [];
    waitingOctets = 0;
  }

  function writeNext(): void {
    if (isWriting) return;
    const data = take();
    if (data === undefined) return;
    isWriting = true;
    write(descriptor, data, (error, written) => {
      isWriting = false;
      keep(data.subarray(error ? 0 : written), true);
      if (error === null) return writeNext();
      if (error.code === "EPIPE") forgetAll();
      if (error.code === "EAGAIN") setTimeout(writeNext, FULL_PIPE_MILLISECONDS);
    });
  }

  /** Returns whether there may be more to write. */
  function writeNextAtOnce(until: number): boolean {
    const data = take();
    if (data === undefined) return false;
    try {
      keep(data.subarray(writeSync(descriptor, data)), true);
      return true;
    } catch (error) {
      keep(data, true);
      if (!isFullPipe(error) || performance.now() > until) return false;
      pause();
      return true;
    }
  }

  return {
    write(text) {
      const data = Buffer.from(text);
      if (waitingOctets + data.length <= MOST_WAITING_OCTETS) keep(data, false);
      else countLostLines(data);
      writeNext();
    },
    writeAtOnce(text) {
      keep(Buffer.from(text), false);
      const until = performance.now() + LONGEST_BLOCK_MILLISECONDS;
      while (writeNextAtOnce(until));
    },
  };
}

const isFullPipe = (error: unknown) => error instanceof Error && "code" in error && error.code === "EAGAIN";

/** Blocks the thread for a moment, as a write that waits for a reader would. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
