/**
 * A second opinion on whom a certificate names, by a reader that shares nothing with the first: `x509.js`, an OpenSSL of 2013
 * compiled to JavaScript. It is old enough to hang or crash on input that strangers can make. So it gets only certificates
 * that have been verified, in a thread of its own, one at a time, each for a bounded time. What it says grants nothing: it can
 * only disagree.
 */
import { createRequire } from "node:module";
import { failed, interpretReading, reasonForNoOpinion } from "./interpret-reading.ts";
import { type ReadingWorker, startReadingWorker } from "./reading-worker.ts";
import type { SecondReading } from "./second-reading.ts";

/** The thread takes a quarter of a second of a core to start, and longer on a busy machine, which must not cause a failure. */
const START_MILLISECONDS = 30_000;

/** Limits of a second reader. */
export interface SecondReaderOptions {
  /** Time for one certificate, once the thread is ready; 250 by default. */
  readonly deadlineMilliseconds?: number;
  /** Time for the thread to start and load its library; 30,000 by default. */
  readonly startMilliseconds?: number;
  /** Most certificates being read or waiting; 32 by default. */
  readonly maxWaiting?: number;
  /** Path of a module with the `parseCert` of `x509.js`; the installed one by default. */
  readonly library?: string;
}

/** Reads certificates in a thread that starts with the first one and does not keep the process alive. */
export interface SecondReader {
  /** Reads a verified leaf, DER. Never rejects: whatever the library does becomes a `failed` reading. */
  read(der: Buffer): Promise<SecondReading>;
  /** Starts the thread in advance, so that the first certificate does not wait for it. */
  prepare(): void;
  /** Ends the thread; waiting readings fail. */
  close(): Promise<void>;
}

/** Makes the second reader of one process. */
export function createSecondReader(options: SecondReaderOptions = {}): SecondReader {
  const { maxWaiting = 32 } = options;
  const thread = keepThread(options);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read(der) {
      const reason = reasonForNoOpinion(der);
      if (reason !== undefined) return { kind: "no_opinion", detail: reason };
      if (waiting >= maxWaiting) return failed(`${waiting} certificates are already waiting`);
      waiting += 1;
      const reading = last
        .then(() => thread.read(der))
        .finally(() => {
          waiting -= 1;
        });
      last = reading;
      return reading;
    },
    prepare: () => {
      last = last.then(() => thread.start());
    },
    close: thread.close,
  };
}

/** Keeps one thread at a time; after a failure the next certificate starts a new one. */
function keepThread(options: SecondReaderOptions) {
  const {
    deadlineMilliseconds = 250,
    startMilliseconds = START_MILLISECONDS,
    library = pathOfLibrary(),
  } = options;
  let worker: Promise<ReadingWorker> | undefined;
  let isClosed = false;
  const ready = async (): Promise<ReadingWorker> => {
    if (isClosed) throw new Error("the second reader is closed");
    const running = await worker;
    if (running !== undefined && !running.hasEnded()) return running;
    worker = startReadingWorker({ library, startMilliseconds, deadlineMilliseconds });
    return worker;
  };
  return {
    async read(der: Buffer): Promise<SecondReading> {
      try {
        return interpretReading(await (await ready()).ask(presentPem(der)));
      } catch (error) {
        worker = undefined;
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
    async start(): Promise<void> {
      await ready().catch(() => {
        worker = undefined;
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      const open = await worker?.catch(() => undefined);
      await open?.end();
    },
  };
}

/** Resolved here, because the program of the thread has no folder of its own. */
function pathOfLibrary(): string {
  return createRequire(import.meta.url).resolve("x509.js");
}

/** Writes PEM without an empty line, even after a full last line, because the library reads nothing that has one. */
function presentPem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
