import { spawn, spawnSync } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { clusterLayout } from "../../../packages/sandbox/src/postgres/cluster-layout.ts";
import { chooseDatabaseUser } from "../../../packages/sandbox/src/postgres/database-user.ts";
import { findEmbeddedBinaries } from "../../../packages/sandbox/src/postgres/find-embedded-binaries.ts";
import { EMBEDDED } from "../../support/postgres-engines.ts";
import { ask, endOf, firstLine, type ServerFolder, serverFolder } from "./started-server.ts";

const NOBODY = 65534;
const WITHOUT_NAMESPACES = ["false"];

describe("Database's user", () => {
  let folder: ServerFolder;
  beforeEach(async () => {
    folder = serverFolder();
    await mkdir(folder.path, { mode: 0o700 });
  });
  afterEach(() => folder.remove());

  it("is the one who starts it, unless that is root", async () => {
    const { uid } = await stat(folder.path);
    const server = await folder.start();
    expect(await effectiveUid(server.pid)).to.equal(uid);
    expect((await stat(join(folder.path, "cluster", "data"))).uid).to.equal(uid);
  });

  it("is not another user: their folder is refused", async () => {
    const { uid } = await stat(folder.path);
    const choice = chooseDatabaseUser(clusterLayout(folder.path), uid + 1);
    expect(await choice.catch((error: unknown) => error)).to.have.property("code", "folder-inaccessible");
  });

  if (process.getuid?.() !== 0) return;

  it("is the folder's owner when root starts it, even where only root reaches the binaries", async () => {
    await chown(folder.path, NOBODY, NOBODY);
    const hidden = await mkdtemp(join(tmpdir(), "cobs-hidden-"));
    const { root, links } = await findEmbeddedBinaries();
    await cp(root, join(hidden, "native"), { recursive: true });
    const binaries = () => Promise.resolve({ root: join(hidden, "native"), links });
    const server = await folder.start({}, { name: "hidden", binaries });
    await rm(hidden, { recursive: true });
    expect(await effectiveUid(server.pid)).to.equal(NOBODY);
    expect(await ask(server.superuserUrl(), "SELECT 1")).to.deep.equal([1]);
    await server.stop();
    expect(await (await folder.start({}, EMBEDDED)).stop()).to.equal(undefined);
  });

  it("is the owner of a parent folder where root has no user namespaces", async () => {
    await chown(dirname(folder.path), 1, 1);
    const user = await chooseDatabaseUser(clusterLayout(folder.path), 0, WITHOUT_NAMESPACES);
    expect(user).to.deep.equal({ uid: 1, gid: 1, prefix: [] });
    expect((await stat(folder.path)).uid).to.equal(1);
  });

  it("is nobody where all parents belong to root, and the folder changes owner, but not what its links lead to", async () => {
    const outside = join(dirname(folder.path), "outside");
    await mkdir(outside);
    await symlink(outside, join(folder.path, "link"));
    const user = await chooseDatabaseUser(clusterLayout(folder.path), 0, WITHOUT_NAMESPACES);
    expect(user).to.deep.equal({ uid: NOBODY, gid: NOBODY, prefix: [] });
    expect((await stat(folder.path)).uid).to.equal(NOBODY);
    expect((await stat(outside)).uid).to.equal(0);
    const server = await folder.start();
    expect(await effectiveUid(server.pid)).to.equal(NOBODY);
  });

  it("cannot be found where only root can enter, and the refusal says so", async () => {
    await chmod(dirname(folder.path), 0o700);
    const choice = chooseDatabaseUser(clusterLayout(folder.path), 0, WITHOUT_NAMESPACES);
    expect(await choice.catch((error: unknown) => error)).to.have.property("code", "root-only");
    expect((await stat(folder.path)).uid).to.equal(0);
  });

  if (!anybodyCanRead(import.meta.filename)) return;

  it("is an unprivileged starter itself", async () => {
    await chown(folder.path, NOBODY, NOBODY);
    const program = join(import.meta.dirname, "starter-program.ts");
    const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", program, folder.path], {
      cwd: import.meta.dirname,
      env: { PATH: "/usr/bin:/bin", TMPDIR: folder.path },
      stdio: ["ignore", "pipe", "inherit"],
      uid: NOBODY,
      gid: NOBODY,
    });
    const said: { uid: number; pid: number; url: string } = JSON.parse(await firstLine(child));
    expect(said.uid).to.equal(NOBODY);
    expect(await effectiveUid(said.pid)).to.equal(NOBODY);
    expect(await ask(said.url, "SELECT 1")).to.deep.equal([1]);
    child.kill("SIGKILL");
    await endOf(said.pid);
  });
});

async function effectiveUid(pid: number): Promise<number> {
  return Number(/^Uid:\s+\d+\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function anybodyCanRead(path: string): boolean {
  return spawnSync("test", ["-r", path], { cwd: "/", uid: NOBODY, gid: NOBODY }).status === 0;
}
