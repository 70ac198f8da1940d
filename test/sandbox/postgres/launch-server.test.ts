import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type ClusterLayout, clusterLayout } from "../../../packages/sandbox/src/postgres/cluster-layout.ts";
import { OURSELVES } from "../../../packages/sandbox/src/postgres/database-user.ts";
import { launchServer } from "../../../packages/sandbox/src/postgres/launch-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Seconds since 1970; long before the clock of this process. */
const LONG_AGO = 1_000_000_000;

describe("Launch of a server", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let layout: ClusterLayout;
  beforeEach(() => {
    folder = temporaryFolder();
    layout = clusterLayout(folder.path);
    mkdirSync(layout.data, { recursive: true });
  });
  afterEach(() => folder.remove());

  /** One that says, in its file, when it has started and that it is ready. */
  async function launch(startedAt: number): Promise<boolean> {
    const file = join(layout.data, "postmaster.pid");
    const says = `printf '%s\\n' $$ data ${startedAt} 1 socket host shared ready > '${file}'; exec sleep 20`;
    const launched = await launchServer(["sh", "-c", says], layout, OURSELVES);
    if (launched.outcome !== "ready") return false;
    launched.child.kill("SIGKILL");
    await once(launched.child, "exit");
    return true;
  }

  it("finds it ready even if the clock was set back meanwhile", async () => {
    expect(await launch(LONG_AGO)).to.equal(true);
  });

  it("finds it ready even if another server has left its file, by a clock that was ahead", async () => {
    const left = [999_999, "data", LONG_AGO + 1, 1, "socket", "host", "shared", "ready", ""].join("\n");
    writeFileSync(join(layout.data, "postmaster.pid"), left);
    expect(await launch(LONG_AGO)).to.equal(true);
  });
});
