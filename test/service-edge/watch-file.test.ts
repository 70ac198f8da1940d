import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  type FileWatch,
  type WatchedFile,
  watchFile,
} from "../../packages/service-edge/src/configuration/watch-file.ts";
import { until } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Rules {
  readonly revision: number;
  readonly names: readonly string[];
}

const INTERVAL_MILLISECONDS = 10;
/** Long enough for several looks: what has not happened by then does not happen. */
const SEVERAL_LOOKS_MILLISECONDS = 150;

describe("Watched file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let watch: FileWatch;
  const taken: Rules[] = [];
  const refused: string[] = [];

  const present = (revision: number, ...names: string[]) => JSON.stringify({ revision, names });
  /** At once, so that no look finds it half written. */
  function replace(text: string): void {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
  const severalLooks = () => new Promise((resolve) => setTimeout(resolve, SEVERAL_LOOKS_MILLISECONDS));

  const takenUp = (count: number) => until(() => taken.length === count, "the change is taken up");
  const refusedSoFar = (count: number) => until(() => refused.length === count, "the change is refused");

  function start(options: Partial<WatchedFile<Rules>> = {}): void {
    watch = watchFile<Rules>({
      path,
      parse: (text) => JSON.parse(text),
      contentOf: (rules) => rules,
      accept: (next, current) =>
        next.revision < current.revision ? "older than what is in force" : undefined,
      current: { revision: 1, names: ["a"] },
      onChange: (rules) => void taken.push(rules),
      onRefusal: (reason) => void refused.push(reason),
      intervalMilliseconds: INTERVAL_MILLISECONDS,
      ...options,
    });
  }

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, "rules.json");
    writeFileSync(path, present(1, "a"));
    taken.length = 0;
    refused.length = 0;
  });
  afterEach(() => {
    watch.stop();
    folder.remove();
  });

  it("is reloaded when it is rewritten in place", async () => {
    start();
    writeFileSync(path, present(2, "a", "b"));
    await takenUp(1);
    expect(taken[0]).to.deep.equal({ revision: 2, names: ["a", "b"] });
  });

  it("is reloaded when another is renamed to it", async () => {
    start();
    await severalLooks();
    replace(present(2, "b"));
    await takenUp(1);
    expect(taken[0]?.revision).to.equal(2);
  });

  it("is reloaded when the link to its folder is switched, as Kubernetes does", async () => {
    for (const revision of [1, 2]) {
      mkdirSync(join(folder.path, `..${revision}`));
      writeFileSync(join(folder.path, `..${revision}`, "rules.json"), present(revision, "a"));
    }
    symlinkSync("..1", join(folder.path, "..data"));
    rmSync(path);
    symlinkSync(join("..data", "rules.json"), path);
    start();
    await severalLooks();
    symlinkSync("..2", join(folder.path, "..data.new"));
    renameSync(join(folder.path, "..data.new"), join(folder.path, "..data"));
    await takenUp(1);
    expect(taken[0]?.revision).to.equal(2);
  });

  it("is reloaded when it changed between its first reading and the watch", async () => {
    writeFileSync(path, present(2, "b"));
    start();
    await takenUp(1);
  });

  it("is not reloaded when its content is the same", async () => {
    start();
    await severalLooks();
    replace(JSON.stringify({ revision: 1, names: ["a"] }, undefined, 2));
    await severalLooks();
    expect([taken, refused]).to.deep.equal([[], []]);
  });

  it("keeps its last good content, and reports the reason once for each bad change", async () => {
    start();
    replace("{");
    await refusedSoFar(1);
    await severalLooks();
    replace("{{");
    await refusedSoFar(2);
    await severalLooks();
    expect([taken.length, refused.length]).to.deep.equal([0, 2]);
    replace(present(2, "b"));
    await takenUp(1);
  });

  it("is compared with the content in force, not with what was refused", async () => {
    start();
    replace(present(5, "a"));
    await takenUp(1);
    replace(present(4, "a"));
    await refusedSoFar(1);
    expect(refused).to.deep.equal(["older than what is in force"]);
    replace(present(6, "a"));
    await until(() => taken.at(-1)?.revision === 6, "the change is taken up");
    expect(taken.map(({ revision }) => revision)).to.deep.equal([5, 6]);
  });

  it("stays in force while missing, which is reported each time, and is reloaded when it comes back changed", async () => {
    let unchanged = 0;
    renameSync(path, `${path}.elsewhere`);
    const comeBack = () => symlinkSync(`${path}.elsewhere`, path);
    comeBack();
    start({
      onUnchanged: () => {
        unchanged += 1;
      },
    });
    await severalLooks();
    for (const time of [1, 2]) {
      rmSync(path);
      await refusedSoFar(time);
      await severalLooks();
      expect(refused.at(-1)).to.match(/^ENOENT/);
      comeBack();
      await severalLooks();
      expect([taken.length, refused.length, unchanged]).to.deep.equal([0, time, 1 + time]);
    }
    replace(present(2, "b"));
    await takenUp(1);
  });

  it("is refused when too large or not a regular file, and does not block the watch", async () => {
    start();
    await severalLooks();
    truncateSync(path, 16_777_217);
    await refusedSoFar(1);
    expect(refused[0]).to.match(/has more than 16777216 octets$/);
    rmSync(path);
    mkdirSync(path);
    const isNone = () => /is not a regular file$/.test(refused.at(-1) ?? "");
    await until(isNone, "the folder is refused");
    rmdirSync(path);
    await until(() => !isNone(), "it is told to be gone");
    // Nobody writes into it.
    execFileSync("mkfifo", [path]);
    await until(isNone, "the pipe is refused");
    rmSync(path);
    replace(present(2, "b"));
    await takenUp(1);
  });

  it("is reported once as out of reach, and is reloaded when it can be read again", async () => {
    start();
    await severalLooks();
    rmSync(path);
    symlinkSync(path, path);
    await until(() => /^ELOOP/.test(refused.at(-1) ?? ""), "it is out of reach");
    const told = refused.length;
    await severalLooks();
    expect(refused).to.have.length(told);
    rmSync(path);
    replace(present(2, "b"));
    await takenUp(1);
  });

  it("is refused when its content cannot be put into force, and reloaded when it can", async () => {
    start({
      onChange: (rules) => {
        if (refused.length === 0) throw new Error("not with these names");
        taken.push(rules);
      },
    });
    replace(present(2, "b"));
    await refusedSoFar(1);
    expect(refused).to.deep.equal(["not with these names"]);
    replace(`${present(2, "b")}\n`);
    await takenUp(1);
  });

  it("is ignored once the watch has stopped", async () => {
    start();
    await severalLooks();
    watch.stop();
    replace(present(2, "b"));
    await severalLooks();
    expect(taken).to.deep.equal([]);
  });

  it("is not reported by a check under way when the watch stops", async () => {
    let unchanged = 0;
    for (const change of [() => {}, () => rmSync(path)]) {
      change();
      start({
        onUnchanged: () => {
          unchanged += 1;
        },
      });
      watch.stop();
      await severalLooks();
    }
    expect([unchanged, taken, refused]).to.deep.equal([0, [], []]);
  });
});
