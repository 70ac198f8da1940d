import { write, writeSync } from "node:fs";
import { countLostLines } from "./lost-lines.ts";

/** What waits for a reader who hangs, or for space on a disk; what comes beyond it is lost, and counted. */
const MOST_WAITING_OCTETS = 64 * 1_024 * 1_024;
/** Until a pipe that is full is tried again: one of Linux, which holds 64 KiB, then takes what ten thousand calls a second say. */
const FULL_PIPE_MILLISECONDS = 10;
/** How long whoever writes at once waits for a reader who hangs. */
const LONGEST_BLOCK_MILLISECONDS = 1_000;

/** What takes texts for a file descriptor. */
export interface TurnWriter {
  /** Returns at once; each text is one write of the kernel, where that takes it whole. */
  write(text: string): void;
  /** Writes what waits and this text before it returns, but for what is being written at that moment. */
  writeAtOnce(text: string): void;
}

/**
 * Writes texts one after the other. What cannot be written, on a disk that is full, is tried again with the next text; nothing
 * that goes wrong here is thrown, or keeps a process from going on or from ending. Of a pipe that nobody reads any more nothing
 * is kept.
 */
export function writeInTurn(descriptor: number): TurnWriter {
  let waiting: Buffer[] = [];
  let waitingOctets = 0;
  let isWriting = false;

  /** What is left of a text goes before the others. */
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

  /** Gives whether there may be more to write. */
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

/** Holds the whole thread up for a moment, as a write would that waits for a reader. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
