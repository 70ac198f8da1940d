import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CI = resolve(import.meta.dirname, "../../.ci/run");
/** In the place of npm: `pack` leaves a package. */
const NPM = '#!/bin/sh\necho > "$4/$(echo "$5" | tr @ -).tgz"\n';
/** In the place of tar: it is interrupted in the middle of a program as long as there is such a file. */
const TAR = `#!/bin/sh
mkdir -p "$4/package/bin"
echo half > "$4/package/bin/node"
chmod 755 "$4/package/bin/node"
[ ! -e "$(dirname "$0")/interrupted" ] || exit 130
echo whole > "$4/package/bin/node"
`;

describe("Node.js as CI installs it", () => {
  it("is fetched again after an interruption, and only once otherwise", () => {
    const { path, remove } = temporaryFolder();
    writeFileSync(join(path, "npm"), NPM, { mode: 0o755 });
    writeFileSync(join(path, "tar"), TAR, { mode: 0o755 });
    writeFileSync(join(path, "interrupted"), "");
    const install = execFileSync("sed", ["-n", "/^install_nodes()/,/^}/p", CI], { encoding: "utf8" });
    const script = `set -euo pipefail\n${install}\ninstall_nodes\necho "$COBS_TEST_NODES"`;
    const env = { PATH: `${path}:/usr/bin:/bin`, XDG_CACHE_HOME: join(path, "cache") };
    const run = () => spawnSync("/bin/bash", ["-c", script], { env, encoding: "utf8" });
    expect(run().status).to.equal(130);
    rmSync(join(path, "interrupted"));
    const { status, stdout } = run();
    expect(status).to.equal(0);
    const programs = stdout.trim().split(":").filter(Boolean);
    expect(programs.map((program) => readFileSync(program, "utf8"))).to.deep.equal(["whole\n", "whole\n"]);
    for (const program of programs) writeFileSync(program, "kept\n");
    expect(run().status).to.equal(0);
    expect(programs.map((program) => readFileSync(program, "utf8"))).to.deep.equal(["kept\n", "kept\n"]);
    remove();
  });
});
