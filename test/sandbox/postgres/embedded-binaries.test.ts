import { chmod, cp, lstat, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { findEmbeddedBinaries } from "../../../packages/sandbox/src/postgres/find-embedded-binaries.ts";
import type { PostgresBinaries } from "../../../packages/sandbox/src/postgres/postgres-binaries.ts";
import { ask, serverFolder } from "./started-server.ts";

describe("Embedded binaries", () => {
  const folder = serverFolder();
  let unpacked: string;
  before(async () => {
    unpacked = await mkdtemp(join(tmpdir(), "cobs-unpacked-"));
    await chmod(unpacked, 0o755);
  });
  after(async () => {
    await folder.remove();
    await rm(unpacked, { recursive: true, force: true });
  });

  it("run from a package without its links, as skipped install scripts leave it, also after a move", async () => {
    const { root, links } = await findEmbeddedBinaries();
    const copy = join(unpacked, "native");
    await cp(root, copy, { recursive: true, filter: async (path) => !(await lstat(path)).isSymbolicLink() });
    const before = await readdir(join(copy, "lib"));
    await startAndAsk({ root: copy, links });
    expect(await readdir(join(copy, "lib"))).to.deep.equal(before);
    const moved = join(unpacked, "moved");
    await rename(copy, moved);
    await startAndAsk({ root: moved, links });
  });

  async function startAndAsk(binaries: PostgresBinaries) {
    expect(binaries.links.length).to.be.above(0);
    const server = await folder.start({}, { name: "unpacked", binaries: () => Promise.resolve(binaries) });
    expect(await ask(server.superuserUrl(), "SELECT 1")).to.deep.equal([1]);
    await server.stop();
  }
});
