import { parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { derElement } from "../../../packages/sandbox/src/certificates/der.ts";
import { eventually } from "../../support/eventually.ts";
import { startWaiting } from "../../support/stopwatch.ts";
import { anchorFile, issue, keyOf, now, present, qwacPlan } from "../certificate-builder.ts";
import {
  authorityOf,
  codeOf,
  crlUrl,
  listOf,
  minutes,
  ocspUrl,
  responderOf,
  revocationWorld,
  type Source,
  settled,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");
const tpp = tppUnder(issuing);
const goodUntil = (end: number) => responderOf(issuing, { answer: { nextUpdate: minutes(end) } });
const revokedFor = (reason: "keyCompromise" | "certificateHold") =>
  responderOf(issuing, { answer: { status: { revokedAt: minutes(-1), reason }, nextUpdate: minutes(60) } });

/** A source that answers when it is told to. */
function held(source: Source) {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting: Source = async (question) => {
    await open;
    return source(question);
  };
  return { waiting, release };
}

describe("A good answer", () => {
  it("serves all calls within its validity with one question", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, goodUntil(60));
    for (let call = 0; call < 20; call++) {
      expect(await world.call(tpp)).to.equal("accepted");
      world.pass(20);
    }
    expect(world.asked(ocspUrl)).to.equal(1);
  });

  it("serves for five seconds if it has just ended, so that not every call asks again", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, goodUntil(-1));
    for (const seconds of [0, 4, 1]) {
      world.pass(seconds);
      expect(await world.call(tpp)).to.equal("accepted");
    }
    expect(world.asked(ocspUrl)).to.equal(2);
  });

  it("is accepted from a responder that signs ahead, even after a later one from another", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.pass(600);
    const answer = { thisUpdate: minutes(-30), nextUpdate: minutes(60) };
    world.sources.set(ocspUrl, responderOf(issuing, { answer }));
    expect(await world.call(tpp, "certain")).to.equal("accepted");
  });

  it("serves for the configured time, counted from its question", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 0 });
    world.sources.set(ocspUrl, (question) => {
      world.pass(2);
      return goodUntil(60)(question);
    });
    await world.call(tpp);
    world.sources.clear();
    world.pass(597);
    expect(await world.call(tpp)).to.equal("accepted");
    world.pass(1);
    expect(await world.call(tpp)).to.equal("unavailable");
  });

  it("serves no longer than its own validity", async () => {
    const world = revocationWorld({ graceSeconds: 0 });
    world.sources.set(ocspUrl, goodUntil(2));
    await world.call(tpp);
    world.sources.clear();
    world.pass(119);
    expect(await world.call(tpp)).to.equal("accepted");
    world.pass(1);
    expect(await world.call(tpp)).to.equal("unavailable");
  });

  it("is renewed in the background when most of its time has passed", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 0 });
    const slow = held(goodUntil(60));
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.pass(449);
    await world.call(tpp);
    expect(world.asked(ocspUrl)).to.equal(1);
    world.sources.set(ocspUrl, slow.waiting);
    world.pass(1);
    for (let call = 0; call < 5; call++) expect(await world.call(tpp)).to.equal("accepted");
    expect(world.asked(ocspUrl)).to.equal(2);
    slow.release();
    await settled();
    world.pass(200);
    world.sources.clear();
    expect(await world.call(tpp)).to.equal("accepted");
  });

  it("survives a failed renewal, which the next calls do not repeat", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 0 });
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.sources.clear();
    world.pass(500);
    for (let call = 0; call < 5; call++) {
      expect(await world.call(tpp)).to.equal("accepted");
      await settled();
    }
    expect(world.asked(ocspUrl)).to.equal(2);
  });

  it("about one certificate says nothing about another", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    const other = tppUnder(issuing, undefined, { serial: derElement(0x02, Buffer.from([9])) });
    expect(await world.call(other)).to.equal("certificate_revoked");
    expect(await world.call(tpp)).to.equal("accepted");
  });

  it("says nothing about the same number at an authority that differs in key or name", async () => {
    const first = authorityOf("Issuing CA");
    const others = [
      authorityOf("Issuing CA", undefined, { key: keyOf("P-256", "another") }),
      authorityOf("Issuing CA 2", undefined, { key: first.key }),
    ];
    const world = revocationWorld({ anchors: [first, ...others] });
    world.sources.set(ocspUrl, responderOf(first));
    expect(await world.call(tppUnder(first))).to.equal("accepted");
    for (const [at, other] of others.entries()) {
      const url = `http://ocsp.test/${at}`;
      world.sources.set(url, responderOf(other, { answer: { status: { revokedAt: minutes(-1) } } }));
      expect(await world.call(tppUnder(other, sourcesAt([url], [])))).to.equal("certificate_revoked");
    }
  });
});

describe("A certificate that is revoked while its connection is open", () => {
  it("is refused within the time that a good answer is cached", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    const presented = present(tpp.der);
    const call = () =>
      world.verification.identify(presented, world.clock(), "known").then(() => "accepted", codeOf);
    world.sources.set(ocspUrl, goodUntil(600));
    expect(await call()).to.equal("accepted");
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    world.pass(600);
    expect(await call()).to.equal("certificate_revoked");
  });

  it("is refused within that time too when only the CRL answers", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    const list = (revoked: boolean) =>
      listOf(issuing, { revoked: revoked ? [{ serialNumber: "4a0b", revokedAt: minutes(0) }] : [] });
    world.sources.set(crlUrl, () => list(false));
    await world.call(tppUnder(issuing, undefined, { serial: derElement(0x02, Buffer.from([9])) }));
    // This one is answered out of a list that is five minutes old already.
    world.pass(299);
    expect(await world.call(tpp, "known")).to.equal("accepted");
    world.sources.set(crlUrl, () => list(true));
    world.pass(301);
    expect(await world.call(tpp, "known")).to.equal("certificate_revoked");
  });
});

describe("A revoked certificate", () => {
  it("is remembered for long, without another question", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    await world.call(tpp);
    world.sources.set(ocspUrl, goodUntil(100_000));
    world.pass(23 * 3600);
    expect(await world.call(tpp, "known")).to.equal("certificate_revoked");
    expect(world.asked(ocspUrl)).to.equal(1);
  });

  it("is asked about again after a hold, which can be lifted (RFC 5280 5.3.1)", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    world.sources.set(ocspUrl, revokedFor("certificateHold"));
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    world.sources.set(ocspUrl, goodUntil(60));
    world.pass(600);
    expect(await world.call(tpp)).to.equal("accepted");
  });

  it("is not made good by a list from before its hold if its responder falls silent", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    world.sources.set(ocspUrl, revokedFor("certificateHold"));
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    world.sources.delete(ocspUrl);
    world.sources.set(crlUrl, () => listOf(issuing, { thisUpdate: minutes(-600) }));
    world.pass(601);
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    world.sources.set(crlUrl, () => listOf(issuing, { thisUpdate: minutes(10) }));
    world.pass(301);
    expect(await world.call(tpp)).to.equal("accepted");
  });

  it("is not made good by a replayed older answer, even a day later", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    const ofLastHour = { thisUpdate: minutes(-60), nextUpdate: minutes(7 * 24 * 60) };
    world.sources.set(ocspUrl, responderOf(issuing, { answer: ofLastHour }));
    world.pass(24 * 3600 + 1);
    expect(await world.call(tpp)).to.equal("certificate_revoked");
  });

  it("has no grace period, not even after a hold when nobody answers", async () => {
    const world = revocationWorld({ cacheSeconds: 600 });
    world.sources.set(ocspUrl, revokedFor("certificateHold"));
    await world.call(tpp);
    world.sources.clear();
    world.pass(601);
    expect(await world.call(tpp, "known")).to.equal("certificate_revoked");
  });
});

describe("The silence of every source", () => {
  it("ends a call that must be certain", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 900 });
    expect(await world.call(tpp, "certain")).to.equal("unavailable");
    world.pass(6);
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.sources.clear();
    world.pass(601);
    expect(await world.call(tpp, "certain")).to.equal("unavailable");
  });

  it("lets any other call of a good certificate go on for the grace period, and no longer", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 900 });
    world.sources.set(ocspUrl, goodUntil(600));
    await world.call(tpp);
    world.sources.clear();
    world.pass(600);
    expect(await world.call(tpp, "known")).to.equal("accepted");
    world.pass(899);
    expect(await world.call(tpp, "known")).to.equal("accepted");
    world.pass(1);
    expect(await world.call(tpp, "known")).to.equal("unavailable");
    expect(world.events.filter(({ kind }) => kind === "decision")).to.deep.equal(
      ["good", "grace", "grace", "unavailable"].map((decision) => ({ kind: "decision", decision })),
    );
  });

  it("ends a call of a certificate that was never known to be good", async () => {
    const world = revocationWorld();
    expect(await world.call(tpp, "known")).to.equal("unavailable");
  });

  it("stops questions for five seconds, and then one call asks for all", async () => {
    const world = revocationWorld();
    for (let call = 0; call < 20; call++) expect(await world.call(tpp)).to.equal("unavailable");
    expect(world.asked(ocspUrl)).to.equal(1);
    world.pass(5);
    world.sources.set(ocspUrl, goodUntil(60));
    expect(await world.call(tpp)).to.equal("accepted");
    expect(world.asked(ocspUrl)).to.equal(2);
  });

  it("makes calls in the grace period wait for an answer again after a minute", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 900 });
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp, "known");
    world.sources.clear();
    world.pass(600);
    expect(await world.call(tpp, "known")).to.equal("accepted");
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    world.pass(60);
    expect(await world.call(tpp, "known")).to.equal("certificate_revoked");
  });

  it("does not make calls in the grace period wait for the next attempt, made in the background", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 900 });
    world.sources.set(ocspUrl, goodUntil(600));
    await world.call(tpp);
    world.sources.clear();
    world.pass(600);
    await world.call(tpp, "known");
    const slow = held(revokedFor("keyCompromise"));
    world.sources.set(ocspUrl, slow.waiting);
    world.pass(30);
    expect(await world.call(tpp, "known")).to.equal("accepted");
    expect(world.asked(ocspUrl)).to.equal(3);
    slow.release();
    await eventually(async () => (await world.call(tpp, "known")) === "certificate_revoked");
  });

  it("is logged with which sources failed, and how", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, responderOf(authorityOf("Strange CA")));
    const error = await world.verification
      .identify(present(tpp.der), world.clock(), "certain")
      .catch((it) => it);
    expect(error.detail).to.equal(
      "ocsp: the responder is neither the issuer nor certified in the answer; crl: nobody listens there",
    );
  });
});

describe("Fifty simultaneous calls", () => {
  it("about one certificate ask once, on as many connections", async () => {
    const world = revocationWorld();
    const slow = held(goodUntil(60));
    world.sources.set(ocspUrl, slow.waiting);
    const calls = Array.from({ length: 50 }, () => world.call(tpp));
    slow.release();
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set(["accepted"]));
    expect(world.asked(ocspUrl)).to.equal(1);
    expect(world.events.filter(({ kind }) => kind === "answer")).to.have.length(1);
  });

  it("after one failure each get what their own demand allows", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 900 });
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(tpp);
    world.sources.clear();
    world.pass(600);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => world.call(tpp, at % 2 === 0 ? "certain" : "known")),
    );
    expect(outcomes).to.deep.equal(
      Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? "unavailable" : "accepted")),
    );
    expect(world.asked(ocspUrl)).to.equal(2);
  });
});

describe("A silent responder", () => {
  const otherTpp = (serial: number) =>
    tppUnder(issuing, undefined, { serial: derElement(0x02, Buffer.from([serial])) });

  it("delays one certificate; for five seconds the others are looked up in the CRL first", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => listOf(issuing));
    expect(await world.call(tpp)).to.equal("accepted");
    for (const serial of [1, 2, 3]) expect(await world.call(otherTpp(serial))).to.equal("accepted");
    expect(world.asked(ocspUrl)).to.equal(1);
    world.pass(5);
    world.sources.set(ocspUrl, goodUntil(60));
    await world.call(otherTpp(4));
    expect(world.asked(ocspUrl)).to.equal(2);
  });

  it("is replaced by another that answers, before any CRL", async () => {
    const world = revocationWorld();
    const second = "http://second.ocsp.test/";
    const tppOfTwo = (serial: number) =>
      tppUnder(issuing, sourcesAt([ocspUrl, second], [crlUrl]), {
        serial: derElement(0x02, Buffer.from([serial])),
      });
    world.sources.set(crlUrl, () => listOf(issuing));
    world.sources.set(second, goodUntil(60));
    expect(await world.call(tppOfTwo(1))).to.equal("accepted");
    world.sources.set(second, revokedFor("keyCompromise"));
    expect(await world.call(tppOfTwo(2))).to.equal("certificate_revoked");
  });

  it("is still asked about a certificate that no CRL covers", async () => {
    const world = revocationWorld();
    expect(await world.call(tpp)).to.equal("unavailable");
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    expect(await world.call(otherTpp(1))).to.equal("certificate_revoked");
  });

  it("is asked first again once it has answered, as it may know more than a CRL", async () => {
    const world = revocationWorld();
    expect(await world.call(tpp)).to.equal("unavailable");
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    await world.call(otherTpp(1));
    const part = "http://crl.test/part.crl";
    world.sources.set(part, () => listOf(issuing));
    const listed = tppUnder(issuing, sourcesAt([ocspUrl], [part]), {
      serial: derElement(0x02, Buffer.from([2])),
    });
    expect(await world.call(listed)).to.equal("certificate_revoked");
  });

  it("is not one that gives a wrong answer, which says nothing about other certificates", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, () => Buffer.from("no answer"));
    expect(await world.call(tpp)).to.equal("unavailable");
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    world.sources.set(crlUrl, () => listOf(issuing));
    expect(await world.call(otherTpp(1))).to.equal("certificate_revoked");
  });
});

describe("A CRL beside OCSP", () => {
  it("is fetched while OCSP answers, and is at hand when both fall silent", async () => {
    const world = revocationWorld({ graceSeconds: 0 });
    world.sources.set(ocspUrl, goodUntil(60));
    world.sources.set(crlUrl, () => listOf(issuing));
    await world.call(tpp);
    await settled();
    world.sources.clear();
    world.pass(601);
    expect(await world.call(tpp, "certain")).to.equal("accepted");
  });

  it("is not fetched again before half of its validity is over", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, responderOf(issuing, { answer: { nextUpdate: minutes(60 * 24) } }));
    world.sources.set(crlUrl, () => listOf(issuing));
    for (let hour = 0; hour < 11; hour++) {
      await world.call(tpp);
      await settled();
      world.pass(3_600);
    }
    expect(world.asked(crlUrl)).to.equal(1);
    world.pass(3_600);
    await world.call(tpp);
    await settled();
    expect(world.asked(crlUrl)).to.equal(2);
  });

  it("is fetched again after half of the remaining time, once for all certificates, while none is newer", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, responderOf(issuing, { answer: { nextUpdate: minutes(60 * 24) } }));
    world.sources.set(crlUrl, () => listOf(issuing));
    await world.call(tpp);
    await settled();
    const fetched: number[] = [];
    for (const hour of [12, 13, 17, 18, 20, 21]) {
      world.pass(hour * 3_600 - (world.clock().getTime() - now.getTime()) / 1_000);
      for (const serial of [1, 2]) {
        await world.call(tppUnder(issuing, undefined, { serial: derElement(0x02, Buffer.from([serial])) }));
        await settled();
      }
      fetched.push(world.asked(crlUrl));
    }
    expect(fetched).to.deep.equal([2, 2, 2, 3, 3, 4]);
  });
});

describe("A CRL that arrives later than calls wait", () => {
  const onlyList = tppUnder(issuing, sourcesAt([], [crlUrl]));

  it("arrives in the background, and serves the next call", async () => {
    const world = revocationWorld();
    const slow = held(() => listOf(issuing));
    world.sources.set(crlUrl, slow.waiting);
    expect(await world.call(onlyList)).to.equal("unavailable");
    slow.release();
    await settled();
    world.pass(5);
    expect(await world.call(onlyList)).to.equal("accepted");
    expect(world.asked(crlUrl)).to.equal(1);
  });

  it("is not waited for by later calls", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, held(() => listOf(issuing)).waiting);
    expect(await world.call(onlyList)).to.equal("unavailable");
    world.pass(6);
    const waited = startWaiting();
    expect(await world.call(onlyList)).to.equal("unavailable");
    expect(waited()).to.be.below(1_000);
    expect(world.asked(crlUrl)).to.equal(1);
  });
});

describe("Nobody is asked about a certificate", () => {
  for (const [what, certificate] of [
    ["that leads to no anchor", tppUnder(authorityOf("Strange CA"))],
    ["that is not a TPP's", issue(qwacPlan({ extensions: sourcesAt([ocspUrl], [crlUrl]) }), issuing)],
  ] as const) {
    it(what, async () => {
      const world = revocationWorld();
      expect(await world.call(certificate)).to.be.oneOf(["chain_untrusted", "psd2_statement_missing"]);
      expect(world.questions).to.be.empty;
      expect(world.events).to.be.empty;
    });
  }

  it("that TLS refused", async () => {
    const world = revocationWorld();
    const shown = present(tpp.der, [], "INVALID_PURPOSE");
    const code = await world.verification.identify(shown, world.clock(), "certain").catch(codeOf);
    expect(code).to.equal("chain_untrusted");
    expect(world.questions).to.be.empty;
  });
});

describe("Replacing the anchors", () => {
  const strange = authorityOf("Strange CA");
  const anchorsOf = (...issued: readonly (typeof issuing)[]) => parseTrustAnchors(anchorFile(issued));

  it("keeps what is known about certificates whose authority stays", async () => {
    const world = revocationWorld({ anchors: [issuing] });
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    await world.call(tpp);
    world.sources.clear();
    world.verification.replaceAnchors(anchorsOf(strange, issuing));
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    expect(world.asked(ocspUrl)).to.equal(1);
    expect(world.verification.anchors().anchors).to.have.length(2);
  });

  it("refuses a call that was waiting while its authority was removed", async () => {
    const world = revocationWorld({ anchors: [issuing] });
    const slow = held(goodUntil(60));
    world.sources.set(ocspUrl, slow.waiting);
    const call = world.call(tpp);
    world.verification.replaceAnchors(anchorsOf(strange));
    slow.release();
    expect(await call).to.equal("chain_untrusted");
  });

  it("keeps what is known about certificates whose authority was renewed with its name and key", async () => {
    const renewed = authorityOf("Issuing CA", undefined, { serial: derElement(0x02, Buffer.from([0x77])) });
    const world = revocationWorld({ anchors: [issuing] });
    world.sources.set(ocspUrl, revokedFor("keyCompromise"));
    await world.call(tpp);
    world.sources.clear();
    world.verification.replaceAnchors(anchorsOf(renewed));
    expect(await world.call(tpp)).to.equal("certificate_revoked");
    expect(world.asked(ocspUrl)).to.equal(1);
  });
});
