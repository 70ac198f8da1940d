import { expect } from "chai";
import { breachesOf } from "../../scripts/imports/rules.ts";

const AUTH = "packages/auth/src/consent/decide.ts";
const LEAF = "packages/psd2-certificates/src/paths.ts";
const SECOND_READER = "packages/psd2-certificates/src/second-reader/reading-worker.ts";

const AGAINST: readonly (readonly [what: string, file: string, source: string])[] = [
  ["a guarded package", AUTH, 'import type { Context } from "koa";'],
  [
    "an import behind a comment with an apostrophe",
    AUTH,
    'import {\n  // koa\'s own context\n  type Context,\n} from "koa";',
  ],
  ["an import behind a comment with a semicolon", AUTH, 'import { /* a; b */ Pool } from "pg";'],
  ["a re-export", AUTH, 'export {\n  // it\'s theirs\n  Pool,\n} from "pg";'],
  ["a dynamic import", AUTH, 'const { Pool } = await import("pg");'],
  ["a dynamic import in backticks", AUTH, "const { Pool } = await import(`pg`);"],
  ["a package that is required", AUTH, 'const { Pool } = createRequire(import.meta.url)("pg");'],
  ["a file of pg", AUTH, 'import { types } from "pg/lib/utils.js";'],
  ["a file of ioredis", AUTH, 'import { x } from "ioredis/built/x.js";'],
  ["a file of koa", AUTH, 'import context from "koa/lib/context.js";'],
  ["a part of koa", AUTH, 'import serve from "koa-static";'],
  ["an import for its side effect", AUTH, 'import "oidc-provider";'],
  ["another service", AUTH, 'import { serve } from "@cobs/resource";'],
  ["a file of another package", AUTH, 'import { serve } from "../../../resource/src/service.ts";'],
  ["the environment", AUTH, "const { PATH } = process.env;"],
  ["the environment in a template", AUTH, "const path = `at $\u007bprocess.env.PATH}`;"],
  ["the environment by its name", AUTH, 'const path = process["env"].PATH;'],
  ["the environment, imported", AUTH, 'import { env } from "node:process";'],
  ["the process, imported", AUTH, 'import process from "process";'],
  ["the environment, taken out", AUTH, "const { env } = process;"],
  ["the environment, taken out under another name", AUTH, "const { argv, env: given } = globalThis.process;"],
  ["the process under another name", AUTH, "const own = process;"],
  ["a thread in a leaf", LEAF, 'import { Worker } from "node:worker_threads";'],
  ["files in a leaf", LEAF, 'import { readFile } from "fs/promises";'],
  ["a call of the network in a leaf", LEAF, "const answer = await fetch(url);"],
  ["a call of the network by its whole name", LEAF, "const answer = await globalThis.fetch(url);"],
  ["the process in a leaf", LEAF, "const { rss } = process.memoryUsage();"],
  ["files in the second reader", SECOND_READER, 'import { readFileSync } from "node:fs";'],
];

const ALLOWED: readonly (readonly [what: string, file: string, source: string])[] = [
  ["koa in src/http", "packages/auth/src/http/pages.ts", 'import type { Context } from "koa";'],
  [
    "pg in a store",
    "packages/auth/src/consent/store-postgres.ts",
    'import { types } from "pg/lib/utils.js";',
  ],
  ["the environment in main.ts", "packages/auth/src/main.ts", "run({ environment: process.env });"],
  ["an import in a comment", AUTH, '// import { Pool } from "pg"; process.env\n/* import("pg") */'],
  ["the environment in a text", AUTH, 'const text = "only main.ts reads process.env";'],
  ["a comment behind an expression with quotes", AUTH, "const quotes = /[\"'/*]/g;\n// process.env\n"],
  ["the process for something else", AUTH, "process.once(signal, end);"],
  ["a package whose name begins with pg", AUTH, 'import { x } from "pgn";'],
  ["cryptography in a leaf", LEAF, 'import { createHash } from "node:crypto";'],
  ["a fetch that is given to a leaf", LEAF, "export const ask = (fetch: Fetch) => fetch(question);"],
  ["a thread in the second reader", SECOND_READER, 'import { Worker } from "node:worker_threads";'],
];

describe("Rules of imports", () => {
  for (const [what, file, source] of AGAINST)
    it(`report ${what}`, () => {
      expect(breachesOf(file, `\n${source}\n`)).to.have.length(1);
    });

  for (const [what, file, source] of ALLOWED)
    it(`allow ${what}`, () => {
      expect(breachesOf(file, `\n${source}\n`)).to.deep.equal([]);
    });

  it("report the right line of an import after lines of comment", () => {
    const source = 'import { a } from "./a.ts";\n/*\n * Pool\'s\n */\nimport { Pool } from "pg";\n';
    const text = "pg may be imported only in service-edge and files named *-postgres.ts";
    expect(breachesOf(AUTH, source)).to.deep.equal([{ file: AUTH, line: 5, text }]);
  });
});
