import { Worker } from "node:worker_threads";

const program = `
const { workerData: { turns, limitMilliseconds } } = require("node:worker_threads");
let known = -1;
setInterval(() => {
  const now = Atomics.load(turns, 0);
  if (now === known) {
    process.stderr.write("certificate " + now + " takes more than " + limitMilliseconds + " ms\\n", () => process.kill(process.pid, "SIGKILL"));
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 500);
  }
  known = now;
}, limitMilliseconds);
`;

/** Ends the process and reports the number of the certificate that hangs it, which a hung thread cannot do itself. */
export function startWatchdog(limitMilliseconds: number) {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, {
    eval: true,
    workerData: { turns, limitMilliseconds },
    execArgv: [],
  });
  return {
    reached: (turn: number) => Atomics.store(turns, 0, turn),
    stop: () => worker.terminate(),
  };
}
