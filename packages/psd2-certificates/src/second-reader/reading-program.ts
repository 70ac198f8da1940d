/**
 * The program of the worker, as text: it is run from sources, from a build and from an installed package alike, and no
 * file has to be found. The library comes as a path, because such a program has no folder of its own.
 *
 * The library prints when it gives up, and then ends the process: what it prints is dropped, and the process is the worker.
 *
 * It is asm.js, which V8 would compile whole before the first line runs: more than a second of one core, for a certificate
 * now and then. Without its "use asm" it is plain JavaScript of the same meaning, of which only what runs is compiled.
 */
export const readingProgram = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
// Not to be called Module, which the library would take for its own.
const loading = require("node:module").prototype;
const { _compile } = loading;
loading._compile = function (source, ...rest) {
  return Reflect.apply(_compile, this, [source.replace('"use asm"', ""), ...rest]);
};
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
