import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { derElement } from "../../../packages/sandbox/src/certificates/der.ts";
import { ocspFailure } from "../../../packages/sandbox/src/certificates/ocsp-response.ts";
import { eventually } from "../../support/eventually.ts";
import { longestTurn, processorTime, shareOfLongestTurn } from "../../support/processor-time.ts";
import type { Issued } from "../certificate-builder.ts";
import { longList, serialNumberAt } from "./long-list.ts";
import {
  authorityOf,
  crlUrl,
  listOf,
  minutes,
  ocspUrl,
  responderOf,
  revocationWorld,
  type Source,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

type RevocationWorld = ReturnType<typeof revocationWorld>;

const issuing = authorityOf("Issuing CA");
const onlyCrl = sourcesAt([], [crlUrl]);
const entries = 100_000;
/** Milliseconds of the processor. */
const MOST_OF_A_TURN = 50;
const MOST_OF_A_LIST = 800;
/** Of reading a list, in one turn of the event loop: its signature is checked in one. */
const LARGEST_SHARE = 1 / 3;

/** A TPP with the serial number of an entry of the long list. */
const listed = (at: number) =>
  tppUnder(issuing, onlyCrl, { serial: derElement(0x02, Buffer.from(serialNumberAt(at), "hex")) });

/**
 * What is said of one once its list has been read: a busy machine may take longer for that than a call waits, and then nobody
 * is asked again for a while, which passes in the world only when it is told to.
 */
async function answerAfterReading(world: RevocationWorld, tpp: Issued): Promise<string> {
  let answer = "unavailable";
  await eventually(async () => {
    answer = await world.call(tpp);
    if (answer !== "unavailable") return true;
    world.pass(1);
    await delay(500);
    return false;
  });
  return answer;
}

describe("A CRL of 100,000 entries", () => {
  const list = longList(issuing, entries);

  it("is read in well under a second, and in many turns of the event loop", async () => {
    const good = tppUnder(issuing, onlyCrl);
    const read = async () => {
      const world = revocationWorld();
      world.sources.set(crlUrl, () => list);
      expect(await answerAfterReading(world, good)).to.equal("accepted");
    };
    expect(await shareOfLongestTurn(read, LARGEST_SHARE)).to.be.below(LARGEST_SHARE);
    expect(await processorTime(read, MOST_OF_A_LIST)).to.be.below(MOST_OF_A_LIST);
  });

  it("contains those who are on it, from the first to the last, and nobody else", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => list);
    expect(await answerAfterReading(world, tppUnder(issuing, onlyCrl))).to.equal("accepted");
    for (const at of [0, 1, 1_999, 2_000, 65_536, entries - 1])
      expect(await world.call(listed(at)), `entry ${at}`).to.equal("certificate_revoked");
    expect(await world.call(listed(entries))).to.equal("accepted");
    expect(world.asked(crlUrl)).to.equal(1);
  });
});

describe("A CRL that names one serial number 100,000 times", () => {
  const list = longList(issuing, entries, () => serialNumberAt(7));

  it("is read as fast and in as many turns as any other, and revokes that certificate", async () => {
    const read = async () => {
      const world = revocationWorld();
      world.sources.set(crlUrl, () => list);
      expect(await answerAfterReading(world, listed(7))).to.equal("certificate_revoked");
      expect(await world.call(listed(8))).to.equal("accepted");
    };
    expect(await shareOfLongestTurn(read, LARGEST_SHARE)).to.be.below(LARGEST_SHARE);
    expect(await processorTime(read, MOST_OF_A_LIST)).to.be.below(MOST_OF_A_LIST);
  });
});

describe("Misbehaving sources", () => {
  const tpp = tppUnder(issuing);
  const late: Source = (question) =>
    new Promise((resolve) => {
      setTimeout(() => resolve(responderOf(issuing)(question)), 500);
    });
  const huge = Buffer.alloc(2 ** 24 - 1, 0x30);
  const hugeAnswer = Buffer.alloc(65_536, 0x30);
  const withLastOctetTurned = longList(issuing, entries);
  withLastOctetTurned[withLastOctetTurned.length - 1] = (withLastOctetTurned.at(-1) ?? 0) ^ 1;

  for (const [what, ocsp, list] of [
    ["a responder that is slow", late, undefined],
    ["a responder that never answers", () => new Promise<Buffer>(() => undefined), undefined],
    ["a responder that sends 65,536 times the beginning of a SEQUENCE", () => hugeAnswer, undefined],
    ["a responder that sends too much", () => huge, undefined],
    ["a responder that says tryLater", () => ocspFailure("tryLater"), undefined],
    ["a foreign responder", responderOf(authorityOf("Strange CA")), undefined],
    [
      "a stale responder",
      responderOf(issuing, { answer: { thisUpdate: minutes(-60), nextUpdate: minutes(-30) } }),
    ],
    ["sixteen megabytes that are not a list", undefined, () => huge],
    ["a list of 100,000 entries with a wrong signature", undefined, () => withLastOctetTurned],
    ["a list of another authority", undefined, () => listOf(authorityOf("Strange CA"))],
  ] satisfies readonly (readonly [string, Source | undefined, (Source | undefined)?])[]) {
    it(`do not block the event loop for more than 50 ms: ${what}`, async () => {
      const longest = await longestTurn(async () => {
        const world = revocationWorld();
        if (ocsp !== undefined) world.sources.set(ocspUrl, ocsp);
        if (list !== undefined) world.sources.set(crlUrl, list);
        if (ocsp === late) expect(await answerAfterReading(world, tpp)).to.equal("accepted");
        else expect(await world.call(tpp)).to.equal("unavailable");
      }, MOST_OF_A_TURN);
      expect(longest).to.be.below(MOST_OF_A_TURN);
    });
  }
});
