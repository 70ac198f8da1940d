/**
 * The program of the worker, as text: it is run from sources, from a build and from an installed package alike, and no
 * file has to be found. The library comes as a path, because such a program has no folder of its own.
 *
 * The library prints when it gives up, and then ends the process: what it prints is dropped, and the process is the worker.
 */
export const readingProgram = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
process.stdout.write = process.stderr.write = () => true;
const { parseCert } = require(workerData.library);
parentPort.on("message", (pem) => {
  try {
    parentPort.postMessage({ subject: parseCert(pem).subject });
  } catch (error) {
    parentPort.postMessage({ fault: String(error && error.message) });
  }
});
parentPort.postMessage("ready");
`;
