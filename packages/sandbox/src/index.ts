/**
 * Everything a newcomer needs to see the two services at work. The package is run by `npm start` and `npm run tpp`; it exports
 * what other programs of the repository read.
 */

export { readSandboxDocument, type SandboxDocument } from "./sandbox-folder/sandbox-document.ts";
export { SANDBOX_VARIABLES } from "./start/env.ts";
