import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { listenForEvents } from "../../packages/auth/src/feed/feed-wake-postgres.ts";
import { openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { createTestDatabase } from "../support/test-databases.ts";

describe("the connection that hears of events", () => {
  it("holds up no end of the process when its server says nothing any more", async () => {
    const url = new URL(await createTestDatabase());
    const tunnel = await openTunnel(Number(url.port));
    url.port = String(tunnel.port);
    const { log } = readableLog();
    const database = openDatabase({
      url: new Secret(url.href),
      maxConnections: 1,
      applicationName: "test",
      log,
    });
    const wake = listenForEvents({ database, log });
    const hears =
      "SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle' AND usename = user";
    await eventually(async () => (await database.run({ name: "", text: hears, values: [] })).length === 1);
    tunnel.stall();
    const waited = startWaiting();
    await Promise.race([wake.stop(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
    expect(waited()).to.be.below(2_500);
    await tunnel.cut();
    await database.close();
  });
});
