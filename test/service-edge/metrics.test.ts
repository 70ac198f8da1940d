import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMetrics } from "@cobs/service-edge";
import { expect } from "chai";

describe("Metrics of a process", () => {
  it("include those of Node.js, in every registry of the process", async () => {
    for (const { present } of [createMetrics("auth"), createMetrics("auth")]) {
      const { body } = await present();
      for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_cpu_seconds_total"])
        expect(body).to.match(new RegExp(`^${name}\\{[^}]*service="\\w+"[^}]*\\} \\d`, "m"));
    }
  });

  it("do not keep a registry in memory, as what measures Node.js belongs to the process", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const registries = Array.from({ length: 5 }, () => new WeakRef(createMetrics("auth").registry));
    await delay(0);
    collect();
    expect(registries.map((each) => each.deref())).to.deep.equal(Array(5).fill(undefined));
  });

  it("count callers who left without an answer only from eight seconds on (EBA/GL/2018/07 2.4)", async () => {
    const { observeGone, present } = createMetrics("auth");
    for (const waitedSeconds of [0, 7.9, 8, 20, 29.9, 39])
      observeGone({ listener: "mutual-tls", waitedSeconds });
    const { body } = await present();
    expect(body).to.include('http_requests_given_up_total{listener="mutual-tls",service="auth"} 4\n');
  });
});
