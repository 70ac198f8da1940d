/**
 * The program of the worker, as text: it runs the same from sources, from a build and from an installed package, and no file
 * has to be found. The path of the library is passed in, because such a program has no folder of its own.
 *
 * When the library gives up, it prints and then ends the process: its output is dropped, and the process is the worker.
 *
 * The library is asm.js, which V8 would compile whole before the first line runs: more than a second of one core, for an
 * occasional certificate. Without its "use asm" it is plain JavaScript of the same meaning, and only what runs is compiled.
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
