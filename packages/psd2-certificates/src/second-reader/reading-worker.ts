import { Worker } from "node:worker_threads";
import { readingProgram } from "./reading-program.ts";

/** Options of a worker. */
export interface ReadingWorkerOptions {
  /** Path of the module that reads certificates. */
  readonly library: string;
  readonly startMilliseconds: number;
  readonly deadlineMilliseconds: number;
}

/** A thread that reads one certificate after the other until it fails, which ends it. */
export interface ReadingWorker {
  /** Returns what the library says about a PEM certificate, in any shape. Rejects if the thread fails. */
  ask(pem: string): Promise<unknown>;
  hasEnded(): boolean;
  end(): Promise<unknown>;
}

/** The library's own memory is outside the heap. A leak in the heap ends the thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Starts a thread and waits until its library is loaded. It gets neither the environment nor the options of the process, so
 * that a loader of the caller does not run in it.
 */
export async function startReadingWorker(options: ReadingWorkerOptions): Promise<ReadingWorker> {
  const worker = openThread(options.library);
  let hasEnded = false;
  worker.once("exit", () => {
    hasEnded = true;
  });
  await answerOf(worker, options.startMilliseconds);
  worker.unref();
  return {
    ask: (pem) => {
      const answer = answerOf(worker, options.deadlineMilliseconds);
      // While a caller waits, the process must not end; while idle, the thread must not keep it alive.
      worker.ref();
      worker.postMessage(pem);
      return answer.finally(() => worker.unref());
    },
    hasEnded: () => hasEnded,
    end: () => worker.terminate(),
  };
}

function openThread(library: string): Worker {
  const worker = new Worker(readingProgram, {
    eval: true,
    workerData: { library },
    env: {},
    execArgv: [],
    resourceLimits,
    // Separate streams that are never read, because a stream that is read keeps the process alive. The program writes nothing
    // to them.
    stdout: true,
    stderr: true,
  });
  // Without a listener an error would end the process; a thread may fail while idle, or while being ended.
  worker.on("error", () => undefined);
  return worker;
}

/** Awaits the next message of a thread. A thread that does anything else is ended, because its state is then unknown. */
function answerOf(worker: Worker, limitMilliseconds: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const stop = () => {
      isSettled = true;
      clearTimeout(timer);
      worker.off("message", answered).off("error", crashed).off("exit", ended);
    };
    const fail = (detail: string) => {
      stop();
      void worker.terminate().finally(() => reject(new Error(detail)));
    };
    const answered = (message: unknown) => {
      stop();
      resolve(message);
    };
    const crashed = (error: unknown) => fail(`the thread failed: ${String(error)}`);
    const ended = (code: number) => fail(`the thread ended with ${code}`);
    const late = () => {
      if (!isSettled) fail(`no answer within ${limitMilliseconds} ms`);
    };
    // If this process was busy, an answer that has already arrived is handled before the time counts as over.
    const timer = setTimeout(() => setImmediate(late), limitMilliseconds);
    worker.on("message", answered).on("error", crashed).on("exit", ended);
  });
}
