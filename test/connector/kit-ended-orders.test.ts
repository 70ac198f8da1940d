import type { OrderBank, OrderProgress } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { atCoreOf, checksFor, clausesOf, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

/** A bank that changes what it tells of an order, after it was asked so many times about it. */
function forgetting(
  change: (told: OrderProgress) => OrderProgress,
  looks = 0,
): ReturnType<typeof memoryBank> {
  const bank = memoryBank();
  const looked = new Map<string, number>();
  const progressOf: OrderBank["progressOf"] = async (paymentId) => {
    const count = (looked.get(paymentId) ?? 0) + 1;
    looked.set(paymentId, count);
    const told = await bank.progressOf(paymentId);
    return count > looks ? change(told) : told;
  };
  return { ...bank, progressOf };
}

describe("The test kit, at the end, about orders that have ended", () => {
  const judge = (bank: ReturnType<typeof memoryBank>, ...clauses: readonly string[]) =>
    atCoreOf(bank, (url) => resultsOf(url, checksFor(...clauses, "6.6")));

  it("passes a core system that keeps them", async () => {
    const results = await judge(memoryBank(), "7.2", "7.4");
    expect(results.at(-1)).to.include({ clause: "6.6", outcome: "passed", seen: "5 orders" });
  });

  it("fails a core system that moves a completed one back", async () => {
    const back = forgetting((told) => (told.state === "completed" ? { state: "accepted" } : told), 2);
    const results = await judge(back, "7.2");
    expect(clausesOf(results, "failed")).to.deep.equal(["6.6"]);
    expect(results.at(-1)?.seen).to.match(/^an order that was completed is accepted, at GET \/orders\//);
  });

  it("fails a core system that gives another reason for a rejected one", async () => {
    const results = await judge(
      forgetting((told) => (told.state === "rejected" ? { ...told, reason: "other" } : told)),
      "7.4",
    );
    expect(clausesOf(results, "failed")).to.deep.equal(["6.6"]);
    const seen = "an order that was rejected with funds_insufficient is rejected with other";
    expect(results.at(-1)?.seen.startsWith(seen)).to.equal(true);
  });

  it("reports 'not shown' if none has ended", async () => {
    const results = await judge(memoryBank());
    expect(clausesOf(results, "not shown")).to.deep.equal(["6.6"]);
    expect(results[0]?.seen).to.equal("no order of the checks before it has ended");
  });
});
