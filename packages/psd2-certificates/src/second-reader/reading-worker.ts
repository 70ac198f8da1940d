import { Worker } from "node:worker_threads";
import { readingProgram } from "./reading-program.ts";

/** How a worker is run. */
export interface ReadingWorkerOptions {
  /** Path of the module that reads certificates. */
  readonly library: string;
  readonly startMilliseconds: number;
  readonly deadlineMilliseconds: number;
}

/** A thread that reads one certificate after the other until it fails; then it is at its end. */
export interface ReadingWorker {
  /** What the library says of a PEM certificate, not trusted to be of any shape. Rejects when the thread fails. */
  ask(pem: string): Promise<unknown>;
  hasEnded(): boolean;
  end(): Promise<unknown>;
}

/** The memory of the library itself lies outside of the heap. A leak in it ends the thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Starts a thread and waits until its library is loaded. It gets no environment and none of the options of the process:
 * a loader of the caller has nothing to do in there.
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
      // While somebody waits, the process must not end; idle, the thread must not keep it.
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
    // Kept apart and never read: a stream that is read keeps the process alive. The program writes nothing to them.
    stdout: true,
    stderr: true,
  });
  // An error that nobody listens to would end the process: a thread may fail while it is idle, or while it is ended.
  worker.on("error", () => undefined);
  return worker;
}

/** The next message of a thread. One that does anything else is ended: nothing is known of its state then. */
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
    // It may be we who were busy: an answer that has come meanwhile is taken before the time is called over.
    const timer = setTimeout(() => setImmediate(late), limitMilliseconds);
    worker.on("message", answered).on("error", crashed).on("exit", ended);
  });
}
