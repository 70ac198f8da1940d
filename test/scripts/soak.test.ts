import { expect } from "chai";
import { type SoakRun, soakConsents } from "../../scripts/soak/soak-consents.ts";
import { CACHES, figureOf, heapGrowth, hitRate, type SoakSample } from "../../scripts/soak/soak-sample.ts";

const CALLERS = 4;

const lookUps = (sample: SoakSample) =>
  figureOf(sample, "tokens", "hits_total") + figureOf(sample, "tokens", "misses_total");

/** A sample of `npm run soak`, which has 10,000 consents. */
describe("Resource server with many consents for many accounts, used by many TPPs", () => {
  const size = { consents: 60, accountsOfEach: 100, tpps: 10, psus: 6 };
  let run: SoakRun;
  before(async () => {
    run = await soakConsents({ ...size, seconds: 4, sampleSeconds: 1, callersAtOnce: CALLERS }, () => {});
  });

  it("answers every call", () => {
    expect([...run.statuses.keys()]).to.deep.equal([200]);
  });

  it("uses no more memory after some seconds than before", () => {
    expect(heapGrowth(run.samples)).to.be.lessThan(1.1);
  });

  it("reports in its metrics what its caches hold, and how often they answer", () => {
    const [first, last] = [run.samples[0], run.samples.at(-1)];
    if (first === undefined || last === undefined) throw new Error("there are samples");
    expect(figureOf(last, "certificates", "entries")).to.equal(size.tpps);
    expect(figureOf(last, "tokens", "entries")).to.be.at.least(size.consents);
    for (const cache of CACHES) {
      expect(figureOf(last, cache, "entries"), cache).to.be.greaterThan(0);
      expect(hitRate(last, first, cache), cache).to.be.within(0, 1);
    }
    expect(hitRate(last, first, "certificates")).to.equal(1);
    // Each call looks its token up once; those that run while a sample is taken may be missing in it.
    expect(lookUps(last) - lookUps(first)).to.be.closeTo(last.calls - first.calls, 2 * CALLERS);
    // Each token serves twelve calls; on a busy machine some are asked about again, because the feed could not be read in time.
    expect(hitRate(last, first, "tokens")).to.be.within(0.5, 0.95);
  });
});
