/**
 * `npm run auth -- <command>`: auth's operator command. If the folder has a sandbox, it works on that without configuration; a
 * bank runs `packages/auth/dist/operator/main.js` with the variables of its CONFIGURATION.md.
 */
import { resolve } from "node:path";
import { runOperatorCommand } from "@cobs/auth/operator";
import { readSandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { operatorEnvironment } from "./operator-environment.ts";

const EXIT_CONFIGURATION = 78;
const directory = resolve(process.env.SANDBOX_DIRECTORY || ".sandbox");
const sandbox = await readSandboxDocument(sandboxLayout(directory).document);

process.exitCode = await runOperatorCommand({
  environment: sandbox === undefined ? process.env : operatorEnvironment(sandbox, process.env),
  commandLine: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
});
if (sandbox === undefined && process.exitCode === EXIT_CONFIGURATION)
  process.stderr.write(
    `There is no sandbox in ${directory} either; start one, which needs no variables, with: npm start\n`,
  );
