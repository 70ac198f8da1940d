/**
 * What a newcomer needs to see the pair at work. The package is run, by `npm start` and `npm run tpp`; it exports what
 * other programs of the repository read.
 */
export { SANDBOX_VARIABLES } from "./start/env.ts";
export { readSandboxDocument, type SandboxDocument } from "./start/sandbox-document.ts";
