import { createCacheMetrics, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";

describe("Cache metrics", () => {
  const linesOf = async (metrics: ReturnType<typeof createMetrics>) =>
    (await metrics.present()).body.split("\n").filter((line) => line.startsWith("cache_"));

  it("report hits, misses and entries of each cache by name, however often they are scraped", async () => {
    const metrics = createMetrics("test");
    const countCache = createCacheMetrics(metrics);
    const tokens = new Map([["a", 1]]);
    const counted = countCache("tokens", () => tokens.size);
    counted.missed();
    counted.hit();
    counted.hit();
    await linesOf(metrics);
    tokens.set("b", 2);
    expect(await linesOf(metrics)).to.have.members([
      'cache_hits_total{cache="tokens",service="test"} 2',
      'cache_misses_total{cache="tokens",service="test"} 1',
      'cache_entries{cache="tokens",service="test"} 2',
    ]);
  });

  it("include a cache that has not been used yet", async () => {
    const metrics = createMetrics("test");
    createCacheMetrics(metrics)("unused", () => 0);
    expect(await linesOf(metrics)).to.have.members([
      'cache_hits_total{cache="unused",service="test"} 0',
      'cache_misses_total{cache="unused",service="test"} 0',
      'cache_entries{cache="unused",service="test"} 0',
    ]);
  });

  it("keep counting when a cache is replaced by another of the same name", async () => {
    const metrics = createMetrics("test");
    const countCache = createCacheMetrics(metrics);
    countCache("certificates", () => 7).hit();
    countCache("certificates", () => 1).hit();
    expect(await linesOf(metrics)).to.include('cache_hits_total{cache="certificates",service="test"} 2');
    expect(await linesOf(metrics)).to.include('cache_entries{cache="certificates",service="test"} 1');
  });
});
