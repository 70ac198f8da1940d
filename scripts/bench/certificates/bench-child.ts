import { fork } from "node:child_process";

/** A process of the bench that answers one message at a time with a number, and ends with its parent. */
export interface BenchChild {
  ask(message: object): Promise<number>;
  end(): void;
}

/** Starts a module of the bench as a process, on the built packages. */
export function startChild(module: string): BenchChild {
  const child = fork(module, { execArgv: ["--import", "tsx"] });
  let settle = { answer: (_answer: number) => {}, fail: (_error: Error) => {} };
  child.on("message", (answer) => settle.answer(Number(answer)));
  child.on("exit", (code) => settle.fail(new Error(`${module} ended with ${code}`)));
  return {
    ask: (message) =>
      new Promise((answer, fail) => {
        settle = { answer, fail };
        child.send(message);
      }),
    end: () => void child.kill(),
  };
}

/** Answers each message of the parent, inside such a process, and ends with the parent. */
export function answerParent<M>(answer: (message: M) => Promise<number>): void {
  process.on("message", async (message: M) => process.send?.(await answer(message)));
  process.once("disconnect", () => process.exit());
}
