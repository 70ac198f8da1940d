import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import type { Command } from "commander";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";
import { runOperatorCommand } from "../../../packages/auth/src/operator/run-operator-command.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const FOLDERS = ["certs", "packages", "scripts"];
const NOT_OURS = /(^|\/)(node_modules|dist)\//;

const FENCED = /^ *```\w*\n(.*?)^ *```$/gms;
const INLINE = /`([^`]+)`/g;
const COMMAND = /^\s*npm run (?:-s )?auth -- (.*)$/gm;
/** What follows a command: a redirection, or a remark in brackets. */
const AFTER_COMMAND = /\s+(?:> \S+|\(.*\))$/;
/** A placeholder, which the reader fills in. */
const PLACEHOLDER = /<[^>]+>|…/g;

/** Exit codes where nothing is configured: an understood line stops at the missing configuration. */
const [UNDERSTOOD, HELP] = [78, 0];

/** The text of each document, by path. */
function documents(): ReadonlyMap<string, string> {
  const within = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const paths = [...readdirSync(ROOT), ...within].filter(
    (path) => /\.md$/.test(path) && !NOT_OURS.test(path),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/** What `find` finds in each document, with its path. */
function namedIn(texts: ReadonlyMap<string, string>, find: (text: string) => readonly string[]) {
  return [...texts].flatMap(([path, text]) => find(text).map((line) => [path, line] as const));
}

/** The lines that are to be typed, without what follows them. */
function commandLines(text: string): readonly string[] {
  return [...text.matchAll(COMMAND)].map(([, line = ""]) => line.replace(AFTER_COMMAND, ""));
}

const blocksOf = (text: string) => [...text.matchAll(FENCED)].map(([, block = ""]) => block).join("\n");

/** Commands in the running text, which may leave out what is clear there. */
function mentionsIn(text: string): readonly string[] {
  const codes = [...text.replaceAll(FENCED, "").matchAll(INLINE)].map(([, code = ""]) => code);
  return codes.flatMap((code) => commandLines(code.replaceAll(/\s+/g, " ")));
}

/** Words of a line as a shell reads it, with placeholders filled in. */
function wordsOf(line: string): readonly string[] {
  const words = line.replaceAll(PLACEHOLDER, "x").match(/(?:"[^"]*"|\S)+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}

/** Runs a line where nothing is configured. */
async function tryLine(words: readonly string[]) {
  const said = { stdout: "", stderr: "" };
  const sink = (stream: keyof typeof said) => ({ write: (text: string) => (said[stream] += text) });
  const exitCode = await runOperatorCommand({
    environment: {},
    commandLine: words,
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { exitCode, ...said };
}

async function expectUnderstood(line: string, place: string): Promise<void> {
  const { exitCode, stderr } = await tryLine(wordsOf(line));
  expect(exitCode, `${place}: ${line}: ${stderr}`).to.be.oneOf([UNDERSTOOD, HELP]);
}

/** The first word of a mention that names neither a command nor an option of its command. */
function unknownWord(words: readonly string[]): string | undefined {
  let command: Command = createOperatorCommandLine(async () => undefined, {});
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next !== undefined) command = next;
    else if (command.commands.length > 0 && !/^(x|--help)$/.test(word)) return word;
    else if (/^--(?!help$)/.test(word) && !command.options.some(({ long }) => long === word)) return word;
  }
  return undefined;
}

describe("The operator's command", () => {
  const texts = documents();

  it("understands every line that a document gives", async () => {
    const lines = namedIn(texts, (text) => commandLines(blocksOf(text)));
    expect(lines.length).to.be.greaterThan(10);
    for (const [path, line] of lines) await expectUnderstood(line, path);
  });

  it("has every command and option that a document mentions", () => {
    const mentions = namedIn(texts, mentionsIn);
    expect(mentions.length).to.be.greaterThan(15);
    for (const [path, line] of mentions)
      expect(unknownWord(wordsOf(line)), `${path}: ${line}`).to.equal(undefined);
  });

  it("understands the examples of its own help", async () => {
    const lines = commandLines((await tryLine(["--help"])).stdout);
    expect(lines.length).to.be.greaterThan(15);
    for (const line of lines) await expectUnderstood(line, "--help");
  });
});
