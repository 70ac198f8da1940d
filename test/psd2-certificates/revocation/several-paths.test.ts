import { expect } from "chai";
import { startWaiting } from "../../support/stopwatch.ts";
import { type Issued, keyOf, present, utcTime } from "../certificate-builder.ts";
import {
  authorityOf,
  codeOf,
  minutes,
  ocspUrl,
  responderOf,
  revocationWorld,
  type Source,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

const [firstUrl, secondUrl] = ["http://first.test/", "http://second.test/"];
const root = authorityOf("Root");
const key = keyOf("P-256", "issuing");
const revoked = { answer: { status: { revokedAt: minutes(-60), reason: "keyCompromise" } } } as const;
const silent: Source = () => Promise.reject(new Error("silent"));
const neverEnding: Source = () => new Promise(() => {});

/** The same authority once more: its name and its key in another certificate. */
const reissued = (url: string | undefined, serial: number, changes: Parameters<typeof authorityOf>[2] = {}) =>
  authorityOf("Issuing CA", root, {
    key,
    serial: Buffer.from([2, 2, 7, serial]),
    extensions: sourcesAt(url === undefined ? [] : [url], []),
    ...changes,
  });
const one = reissued(firstUrl, 1);
const two = reissued(secondUrl, 2);
const tpp = tppUnder(one, sourcesAt([ocspUrl], []));

/** A world of the root in which everything is good, but for what is said. */
function worldWith(sources: Readonly<Record<string, Source>> = {}, graceSeconds = 0) {
  const world = revocationWorld({ anchors: [root], graceSeconds });
  world.sources.set(ocspUrl, responderOf(one));
  for (const url of [firstUrl, secondUrl]) world.sources.set(url, responderOf(root));
  for (const [url, source] of Object.entries(sources)) world.sources.set(url, source);
  return world;
}
type World = ReturnType<typeof worldWith>;

/** A connection that stays open: what becomes of each of its calls. */
function connect({ verification, clock }: World, intermediates: readonly Issued[]) {
  const presented = present(tpp.der, intermediates);
  return () => verification.identify(presented, clock(), "certain").then(() => "accepted", codeOf);
}

describe("A certificate whose authority was reissued with the same name and key (RFC 5280 6.1)", () => {
  const wrong = [
    ["is revoked", one, responderOf(root, revoked), "certificate_revoked"],
    ["has a silent responder", one, silent, "unavailable"],
    ["names no source", reissued(undefined, 3), silent, "revocation_source_missing"],
  ] as const;
  for (const [what, bad, source, code] of wrong)
    describe(`under the authority certificate that ${what}`, () => {
      const world = () => worldWith({ [firstUrl]: source });

      it("is refused and reported once if that is sent alone", async () => {
        const refusing = world();
        expect(await refusing.call(tpp, "certain", [bad])).to.equal(code);
        const decisions = refusing.events.filter(({ kind }) => kind === "decision");
        expect(decisions).to.have.length(code === "revocation_source_missing" ? 0 : 1);
      });

      it("is accepted and reported once if that is sent with the good one, in either order", async () => {
        for (const sent of [
          [bad, two],
          [two, bad],
        ]) {
          const accepting = world();
          expect(await accepting.call(tpp, "certain", sent)).to.equal("accepted");
          expect(await accepting.call(tpp, "certain", sent)).to.equal("accepted");
          const decisions = accepting.events.filter(({ kind }) => kind === "decision");
          expect(decisions).to.deep.equal(Array(2).fill({ kind: "decision", decision: "good" }));
        }
      });

      it("is accepted once the good one is sent too, and then with any, also on open connections", async () => {
        const seen = world();
        const open = connect(seen, [bad]);
        expect(await open()).to.equal(code);
        seen.pass(6);
        expect(await open()).to.equal(code);
        expect(await seen.call(tpp, "certain", [two])).to.equal("accepted");
        for (const sent of [[bad], [], [two]])
          expect(await seen.call(tpp, "certain", sent)).to.equal("accepted");
        expect(await open()).to.equal("accepted");
        expect(seen.examinations()).to.equal(2);
      });
    });

  it("stays accepted on an open connection with the good authority certificate when the other is revoked", async () => {
    const world = worldWith();
    expect(await world.call(tpp, "certain", [one])).to.equal("accepted");
    const open = connect(world, [two]);
    expect(await open()).to.equal("accepted");
    world.sources.set(firstUrl, responderOf(root, revoked));
    world.pass(601);
    expect(await open()).to.equal("accepted");
    world.pass(601);
    expect(await open()).to.equal("accepted");
    expect(world.examinations()).to.equal(2);
  });

  it("is accepted on an open connection with the good one, while others send the revoked one in new sets", async () => {
    const world = worldWith();
    const open = [connect(world, [one]), connect(world, [two])];
    for (const call of open) expect(await call()).to.equal("accepted");
    world.sources.set(firstUrl, responderOf(root, revoked));
    world.pass(601);
    expect(await world.call(tpp, "certain", [one, authorityOf("Stray", root)])).to.equal(
      "certificate_revoked",
    );
    for (const call of open.reverse()) expect(await call()).to.equal("accepted");
    expect(world.examinations()).to.equal(3);
  });

  it("is accepted on an open connection without its own path once others have sent the good one", async () => {
    const world = worldWith();
    const strays = authorityOf("Stray", root);
    const open = [connect(world, []), connect(world, [strays])];
    expect(await world.call(tpp, "certain", [one])).to.equal("accepted");
    for (const call of open) expect(await call()).to.equal("accepted");
    world.sources.set(firstUrl, responderOf(root, revoked));
    world.pass(601);
    for (const call of open) expect(await call()).to.equal("certificate_revoked");
    expect(await world.call(tpp, "certain", [two])).to.equal("accepted");
    for (const call of open) expect(await call()).to.equal("accepted");
    expect(world.examinations()).to.equal(4);
  });

  it("is accepted in the grace period of one path, however silent the other is", async () => {
    const world = worldWith({}, 900);
    expect(await world.call(tpp, "known", [one])).to.equal("accepted");
    for (const url of [ocspUrl, firstUrl, secondUrl]) world.sources.set(url, silent);
    world.pass(601);
    expect(await world.call(tpp, "known", [one, two])).to.equal("accepted");
    expect(world.events.at(-1)).to.deep.equal({ kind: "decision", decision: "grace" });
  });

  it("does not wait for the responder of one path if the other is known to be good", async () => {
    const world = worldWith({ [firstUrl]: neverEnding });
    const elapsed = startWaiting();
    expect(await world.call(tpp, "certain", [one, two])).to.equal("accepted");
    expect(elapsed()).to.be.below(1_500);
  });

  it("waits no longer for the responders of two paths than for one", async () => {
    const world = worldWith({ [firstUrl]: neverEnding, [secondUrl]: neverEnding });
    const elapsed = startWaiting();
    expect(await world.call(tpp, "certain", [one, two])).to.equal("unavailable");
    expect(elapsed()).to.be.below(3_500);
  });

  it("is unavailable while one of its paths may still be good, in whichever order (RFC 5280 6.1)", async () => {
    const unnamed = reissued(undefined, 3);
    const revokedAndSilent = { [firstUrl]: responderOf(root, revoked), [secondUrl]: silent };
    for (const sent of [
      [one, two],
      [two, one],
      [unnamed, two],
      [two, unnamed],
      [unnamed, one, two],
    ]) {
      const world = worldWith(revokedAndSilent);
      // The second time everything is known already.
      for (let time = 0; time < 2; time += 1)
        expect(await world.call(tpp, "certain", sent)).to.equal("unavailable");
      const decisions = world.events.filter(({ kind }) => kind === "decision");
      expect(decisions).to.deep.equal(Array(2).fill({ kind: "decision", decision: "unavailable" }));
      world.sources.set(secondUrl, responderOf(root));
      world.pass(6);
      expect(await world.call(tpp, "certain", sent)).to.equal("accepted");
    }
  });

  it("is unavailable also if others sent the path that may still be good", async () => {
    const world = worldWith({ [firstUrl]: responderOf(root, revoked), [secondUrl]: silent });
    const open = connect(world, [one]);
    expect(await open()).to.equal("certificate_revoked");
    expect(await world.call(tpp, "certain", [two])).to.equal("unavailable");
    expect(await open()).to.equal("unavailable");
  });

  it("is refused with the code of its first path if none can become good", async () => {
    const unnamed = reissued(undefined, 3);
    for (const [sent, code] of [
      [[one, unnamed], "certificate_revoked"],
      [[unnamed, one], "revocation_source_missing"],
    ] as const) {
      const world = worldWith({ [firstUrl]: responderOf(root, revoked) });
      for (let time = 0; time < 2; time += 1) expect(await world.call(tpp, "certain", sent)).to.equal(code);
    }
  });

  it("is refused on every path if it is revoked itself", async () => {
    for (const sent of [[one, two], [two, one], [reissued(undefined, 3), two], [two]]) {
      const world = worldWith({ [ocspUrl]: responderOf(one, revoked) });
      expect(await world.call(tpp, "certain", [one])).to.equal("certificate_revoked");
      expect(await world.call(tpp, "certain", sent)).to.equal("certificate_revoked");
      const fresh = worldWith({ [ocspUrl]: responderOf(one, revoked) });
      expect(await fresh.call(tpp, "certain", sent)).to.equal("certificate_revoked");
    }
  });

  it("stays refused if it is revoked itself, also through an authority that spells its name differently", async () => {
    const spelt = authorityOf("ISSUING CA", root, { key, extensions: sourcesAt([secondUrl], []) });
    expect(await worldWith().call(tpp, "certain", [spelt])).to.equal("accepted");
    const world = worldWith({ [ocspUrl]: responderOf(one, revoked) });
    expect(await world.call(tpp, "certain", [one])).to.equal("certificate_revoked");
    // As if an answer from before were sent again.
    world.sources.set(ocspUrl, responderOf(spelt));
    for (const sent of [[spelt], [one, spelt]])
      expect(await world.call(tpp, "certain", sent)).to.equal("certificate_revoked");
  });

  it("is accepted if its responder fails for one spelling of the authority's name and answers for the other", async () => {
    const spelt = authorityOf("ISSUING CA", root, { key, extensions: sourcesAt([secondUrl], []) });
    let asked = 0;
    const world = worldWith({
      [ocspUrl]: (question) => {
        asked += 1;
        return (asked === 1 ? silent : responderOf(one))(question);
      },
    });
    expect(await world.call(tpp, "certain", [spelt, one])).to.equal("accepted");
    expect(asked).to.equal(2);
  });

  it("keeps a good path found before when worse ones are sent", async () => {
    const world = worldWith({ [firstUrl]: silent });
    expect(await world.call(tpp, "certain", [two])).to.equal("accepted");
    world.pass(601);
    for (const sent of [[one], []]) expect(await world.call(tpp, "certain", sent)).to.equal("accepted");
    expect(world.examinations()).to.equal(2);
  });

  it("is read once for each set of intermediates while none is good, however often they are sent", async () => {
    const world = worldWith({ [firstUrl]: silent, [secondUrl]: silent });
    const open = [connect(world, [one]), connect(world, [two])];
    for (let round = 0; round < 5; round += 1) {
      for (const call of open) expect(await call()).to.equal("unavailable");
      for (const sent of [[one], [two]])
        expect(await world.call(tpp, "certain", sent)).to.equal("unavailable");
    }
    expect(world.examinations()).to.equal(2);
  });

  it("is accepted only while the good authority certificate is valid, also on an open connection", async () => {
    const ending = reissued(secondUrl, 4, { notAfter: utcTime("261115121000Z") });
    const before = worldWith({ [firstUrl]: responderOf(root, revoked) });
    const lapsing = connect(before, [one, ending]);
    expect(await lapsing()).to.equal("accepted");
    before.pass(600);
    expect(await lapsing()).to.equal("accepted");
    before.pass(1);
    expect(await lapsing()).to.equal("certificate_revoked");

    const coming = reissued(secondUrl, 5, { notBefore: utcTime("261115121000Z") });
    const after = worldWith({ [firstUrl]: responderOf(root, revoked) });
    const beginning = connect(after, [one, coming]);
    expect(await beginning()).to.equal("certificate_revoked");
    after.pass(599);
    expect(await beginning()).to.equal("certificate_revoked");
    after.pass(1);
    expect(await beginning()).to.equal("accepted");
  });
});
