import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createMetrics, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { followCalls } from "../../packages/resource/src/bank/http-connector/call-trace.ts";
import {
  type CoreClient,
  openCoreClient,
} from "../../packages/resource/src/bank/http-connector/core-client.ts";
import { openHttpBank } from "../../packages/resource/src/bank/http-connector/http-bank.ts";
import { instantOrdersOf } from "../../packages/resource/src/bank/http-connector/instant-orders.ts";
import { eventually } from "../support/eventually.ts";
import { identityOf } from "../support/identity-of.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type ScriptedCore, startScriptedCore } from "./connector/scripted-core.ts";

const AT_ONCE = 4;

describe("Questions about instant payments", () => {
  let core: ScriptedCore;
  let client: CoreClient;
  const calls = followCalls();

  before(async () => {
    core = await startScriptedCore();
    const { bank, privateCaFile } = await testCertificates();
    const settings = {
      url: core.url,
      authority: readFileSync(privateCaFile, "utf8"),
      identity: identityOf(bank.resource),
      timeoutMilliseconds: 20_000,
      callsAtOnce: AT_ONCE,
    };
    const { log } = readableLog();
    const { trace, party } = calls;
    client = openCoreClient(settings, {
      log,
      metrics: createMetrics("test"),
      clock: systemClock,
      trace,
      party,
    });
  });
  after(() => Promise.all([client.close(), core.die()]));

  it("are asked at once while those about other payments hold and await all places of jobs", async () => {
    const bank = openHttpBank(client, systemClock);
    const held: (() => void)[] = [];
    const answer = (response: ServerResponse, paymentId: string) =>
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ paymentId, state: "accepted" }));
    core.behave(({ url = "" }, response) => {
      const paymentId = url.split("/").at(-1) ?? "";
      if (paymentId === "instant") answer(response, paymentId);
      else held.push(() => answer(response, paymentId));
    });
    const ordinary = Array.from({ length: 10 }, (_none, at) => bank.progressOf(`ordinary-${at}`));
    await eventually(() => held.length === AT_ONCE - 1);
    const instant = await instantOrdersOf(bank, calls).progressOf("instant");
    expect([instant, held.length]).to.deep.equal([{ state: "accepted" }, AT_ONCE - 1]);
    const over = Promise.all(ordinary);
    await eventually(() => {
      for (const each of held.splice(0)) each();
      return core.asked.length === 11;
    });
    for (const each of held.splice(0)) each();
    await over;
  });

  it("are those of the bank itself, with all that they say", async () => {
    const asked: unknown[] = [];
    const bank = {
      ...openHttpBank(client, systemClock),
      progressOf: async (...question: unknown[]) => {
        asked.push(question);
        return { state: "unknown" } as const;
      },
    };
    await instantOrdersOf(bank, calls).progressOf("instant", "recheck");
    expect(asked).to.deep.equal([["instant", "recheck"]]);
  });
});
