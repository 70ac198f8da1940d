import { expect } from "chai";
import {
  basicConstraints,
  type CertificateExtension,
  keyUsage,
} from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  derElement,
  derOid,
  derSequence,
  derUtf8String,
} from "../../../packages/sandbox/src/certificates/der.ts";
import {
  attribute,
  authorityPlan,
  extension,
  issue,
  keyOf,
  oids,
  printableString,
} from "../certificate-builder.ts";
import {
  authorityOf,
  crlUrl,
  listOf,
  minutes,
  ocspUrl,
  responderOf,
  revocationWorld,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");
const onlyCrl = sourcesAt([], [crlUrl]);
const tpp = tppUnder(issuing, onlyCrl);
const revoked = (serialNumber: string, reason?: "certificateHold" | "keyCompromise") => [
  { serialNumber, revokedAt: minutes(-9), ...(reason && { reason }) },
];

/** What a list comes to, and the one event that was told of it. */
async function answered(list: Buffer, certificate = tpp) {
  const world = revocationWorld();
  world.sources.set(crlUrl, () => list);
  const outcome = await world.call(certificate, "known");
  const told = world.events.flatMap((event) =>
    event.kind === "answer" ? [`${event.outcome}: ${event.detail}`] : [],
  );
  return { outcome, told: told.join() };
}

/** issuingDistributionPoint (RFC 5280 5.2.5) with these members. */
const point = (...members: readonly Uint8Array[]): CertificateExtension => ({
  oid: "2.5.29.28",
  critical: true,
  value: derSequence(...members),
});
const yes = Buffer.from([0xff]);
const named = (...urls: readonly string[]) => {
  const names = urls.map((url) => derElement(0x86, Buffer.from(url, "latin1")));
  return derElement(0xa0, derElement(0xa0, ...names));
};
const delta: CertificateExtension = {
  oid: "2.5.29.27",
  critical: true,
  value: derElement(0x02, Buffer.from([1])),
};
const ofAnotherIssuer: CertificateExtension = {
  oid: "2.5.29.29",
  critical: true,
  value: derSequence(derElement(0xa4, issuing.name)),
};

const [ECDSA_WITH_SHA256, ECDSA_WITH_SHA384] = ["06082a8648ce3d040302", "06082a8648ce3d040303"];

/** The list with the first place where these octets are changed. */
function withOctets(
  list: Buffer,
  { first, into }: { readonly first: string; readonly into: string },
): Buffer {
  const changed = Buffer.from(list);
  changed.set(Buffer.from(into, "hex"), list.indexOf(first, 0, "hex"));
  return changed;
}

describe("A CRL", () => {
  for (const [what, list] of [
    ["that lists nobody", listOf(issuing)],
    [
      "that lists others",
      listOf(issuing, { revoked: [...revoked("4a0c"), ...revoked("4a"), ...revoked("4a0b00")] }),
    ],
    ["for certificates of users only", listOf(issuing, { extensions: [point(derElement(0x81, yes))] })],
    ["of the part that the certificate names", listOf(issuing, { extensions: [point(named(crlUrl))] })],
    [
      "of a part that the certificate names by one of its names",
      listOf(issuing, { extensions: [point(named("http://crl.test/other.crl", crlUrl))] }),
    ],
    [
      "for certificates of users only, of the part that the certificate names",
      listOf(issuing, { extensions: [point(named(crlUrl), derElement(0x81, yes))] }),
    ],
    [
      "that says that it is not for authorities only",
      listOf(issuing, { extensions: [point(derElement(0x82, Buffer.from([0])))] }),
    ],
    [
      "with an extension that is not critical",
      listOf(issuing, { extensions: [{ ...delta, oid: "1.2.3.4", critical: false }] }),
    ],
  ] as const) {
    it(`${what} lets a certificate pass (RFC 5280 6.3.3)`, async () => {
      expect(await answered(list)).to.deep.equal({ outcome: "accepted", told: "good: CRL crl.test: good" });
    });
  }

  for (const [reason, told] of [
    [undefined, "no reason given"],
    ["keyCompromise", "keyCompromise"],
    ["certificateHold", "certificateHold"],
  ] as const) {
    it(`refuses a certificate listed with the reason ${reason} (RFC 5280 5.3.1)`, async () => {
      const others = Array.from({ length: 500 }, (_, at) => revoked((0x1000 + at).toString(16))).flat();
      expect(
        await answered(listOf(issuing, { revoked: [...others, ...revoked("4a0b", reason)] })),
      ).to.deep.equal({
        outcome: "certificate_revoked",
        told: `revoked: CRL crl.test: revoked, ${told}`,
      });
    });
  }

  for (const [what, scope, outcome] of [
    ["for certificates of users only, says nothing about", 0x81, "unavailable"],
    ["for certificates of authorities only, lets pass", 0x82, "accepted"],
  ] as const) {
    it(`${what} an authority below the anchor (RFC 5280 5.2.5)`, async () => {
      const root = authorityOf("Root");
      const below = authorityOf("Issuing CA", root, { extensions: onlyCrl });
      const world = revocationWorld({ anchors: [root] });
      world.sources.set(ocspUrl, responderOf(below));
      world.sources.set(crlUrl, () => listOf(root, { extensions: [point(derElement(scope, yes))] }));
      expect(await world.call(tppUnder(below, sourcesAt([ocspUrl], [])), "certain", [below])).to.equal(
        outcome,
      );
    });
  }

  it("finds a serial number whose first bit is set, so that a zero octet comes before it", async () => {
    const serial = derElement(0x02, Buffer.from("00ff", "hex"));
    const odd = tppUnder(issuing, onlyCrl, { serial });
    expect((await answered(listOf(issuing, { revoked: revoked("ff") }), odd)).outcome).to.equal(
      "certificate_revoked",
    );
    expect((await answered(listOf(issuing, { revoked: revoked("7f") }), odd)).outcome).to.equal("accepted");
  });

  const spoilt = listOf(issuing);
  spoilt[spoilt.length - 1] = (spoilt.at(-1) ?? 0) ^ 1;
  const mute = issue(
    authorityPlan("Issuing CA", {
      extensions: [extension(basicConstraints(true)), extension(keyUsage("keyCertSign"))],
    }),
  );
  for (const [what, list, told] of [
    ["with a wrong signature", spoilt, /CRL is not signed by the issuer/],
    ["signed with SHA-1", listOf(issuing, { signatureHash: "sha1" }), /signed with/],
    ["of another issuer", listOf(authorityOf("Strange CA")), /another issuer/],
    [
      "of an authority that only has the same name",
      listOf(authorityOf("Issuing CA", undefined, { key: keyOf("P-256", "double") })),
      /CRL is not signed by the issuer/,
    ],
    ["that is stale", listOf(issuing, { thisUpdate: minutes(-99), nextUpdate: minutes(-6) }), /expired at/],
    ["of the future", listOf(issuing, { thisUpdate: minutes(6) }), /in the future/],
    [
      "without nextUpdate (RFC 5280 5.1.2.5)",
      listOf(issuing, { nextUpdate: undefined }),
      /failed: an element has tag a0/,
    ],
    [
      "that is a change of another one (RFC 5280 5.2.4)",
      listOf(issuing, { extensions: [delta] }),
      /delta CRL/,
    ],
    [
      "for several issuers (RFC 5280 5.2.5)",
      listOf(issuing, { extensions: [point(derElement(0x84, yes))] }),
      /indirect/,
    ],
    [
      "for some reasons only (RFC 5280 5.2.5)",
      listOf(issuing, { extensions: [point(derElement(0x83, Buffer.from([1, 6])))] }),
      /indirect/,
    ],
    [
      "for certificates of authorities only (RFC 5280 5.2.5)",
      listOf(issuing, { extensions: [point(derElement(0x82, yes))] }),
      /not cover this kind/,
    ],
    [
      "for certificates of authorities only, of the part that the certificate names",
      listOf(issuing, { extensions: [point(named(crlUrl), derElement(0x82, yes))] }),
      /not cover this kind/,
    ],
    [
      "of another part (RFC 5280 6.3.3)",
      listOf(issuing, { extensions: [point(named("http://crl.test/other.crl"))] }),
      /another distribution point/,
    ],
    [
      "whose parts come in a wrong order (RFC 5280 5.2.5)",
      listOf(issuing, { extensions: [point(derElement(0x81, yes), named(crlUrl))] }),
      /repeated or in the wrong order/,
    ],
    [
      "that says twice that it is for users only",
      listOf(issuing, { extensions: [point(derElement(0x81, yes), derElement(0x81, yes))] }),
      /repeated or in the wrong order/,
    ],
    [
      "of another version (RFC 5280 5.1.2.1)",
      withOctets(listOf(issuing), { first: "020101", into: "020102" }),
      /the CRL is not of version 2/,
    ],
    [
      "that names two signature algorithms (RFC 5280 5.1.1.2)",
      withOctets(listOf(issuing), { first: ECDSA_WITH_SHA256, into: ECDSA_WITH_SHA384 }),
      /the two signature algorithms of the CRL differ/,
    ],
    [
      "with a critical extension",
      listOf(issuing, { extensions: [{ ...delta, oid: "1.2.3.4" }] }),
      /critical extension 1\.2\.3\.4/,
    ],
    [
      "with an entry of another issuer (RFC 5280 5.3.3)",
      listOf(issuing, {
        revoked: [{ serialNumber: "01", revokedAt: minutes(-9), extensions: [ofAnotherIssuer] }],
      }),
      /a CRL entry has a critical extension/,
    ],
    [
      "with an entry of a kilobyte",
      listOf(issuing, {
        revoked: [
          {
            serialNumber: "01",
            revokedAt: minutes(-9),
            extensions: [{ oid: "1.2.3.4", critical: false, value: Buffer.alloc(1_000) }],
          },
        ],
      }),
      /a CRL entry is longer than 1024 octets/,
    ],
    ["of garbage", Buffer.from("<html>It works!</html>"), /failed: /],
    ["of nothing", Buffer.alloc(0), /failed: /],
    ["that is huge", Buffer.alloc(16_777_216), /longer than 16777215 octets/],
  ] as const) {
    it(`${what} is unusable`, async () => {
      const { outcome, told: reported } = await answered(list);
      expect(reported).to.match(told);
      expect(outcome).to.equal("unavailable");
    });
  }

  it("of an authority without cRLSign is unusable (RFC 5280 4.2.1.3)", async () => {
    const world = revocationWorld({ anchors: [mute] });
    world.sources.set(crlUrl, () => listOf(mute));
    expect(await world.call(tppUnder(mute, onlyCrl))).to.equal("unavailable");
    expect(JSON.stringify(world.events)).to.include("no cRLSign");
  });

  it("is unusable if any octet of it is changed", async () => {
    const whole = listOf(issuing, { revoked: [...revoked("4a0b", "keyCompromise"), ...revoked("7777")] });
    const world = revocationWorld();
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      world.sources.set(crlUrl, () => changed);
      expect(await world.call(tpp), `octet ${at}`).to.equal("unavailable");
      world.pass(6);
    }
  });

  it("is fetched by GET, without revealing who is asked about", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => listOf(issuing));
    await world.call(tpp);
    expect(world.questions[0]).to.deep.include({
      body: undefined,
      contentType: undefined,
      accept: "application/pkix-crl",
    });
    expect(world.questions[0]?.url.href).to.equal(crlUrl);
  });
});

describe("The cache of CRLs", () => {
  const second = tppUnder(issuing, onlyCrl, { serial: derElement(0x02, Buffer.from([7])) });

  it("serves all certificates of an authority with one list", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => listOf(issuing, { revoked: revoked("07") }));
    expect(await world.call(tpp)).to.equal("accepted");
    expect(await world.call(second)).to.equal("certificate_revoked");
    expect(world.asked(crlUrl)).to.equal(1);
  });

  it("fetches a list once for fifty simultaneous calls", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => listOf(issuing));
    const many = Array.from({ length: 50 }, (_, at) =>
      tppUnder(issuing, onlyCrl, { serial: derElement(0x02, Buffer.from([at + 1])) }),
    );
    const outcomes = await Promise.all(many.map((each) => world.call(each)));
    expect(new Set(outcomes)).to.deep.equal(new Set(["accepted"]));
    expect(world.asked(crlUrl)).to.equal(1);
  });

  it("fetches nothing for five seconds after a failed fetch, whichever certificate is checked", async () => {
    const world = revocationWorld();
    expect(await world.call(tpp)).to.equal("unavailable");
    world.sources.set(crlUrl, () => listOf(issuing));
    world.pass(4.999);
    expect(await world.call(second)).to.equal("unavailable");
    expect(world.asked(crlUrl)).to.equal(1);
    const third = tppUnder(issuing, onlyCrl, { serial: derElement(0x02, Buffer.from([8])) });
    world.pass(0.001);
    expect(await world.call(third)).to.equal("accepted");
    expect(world.asked(crlUrl)).to.equal(2);
  });

  it("does not use a list signed by one authority for another authority with the same URL", async () => {
    const other = authorityOf("Other CA");
    const world = revocationWorld({ anchors: [issuing, other] });
    world.sources.set(crlUrl, () => listOf(issuing));
    expect(await world.call(tpp)).to.equal("accepted");
    expect(await world.call(tppUnder(other, onlyCrl))).to.equal("unavailable");
  });

  it("accepts a list under another spelling of the issuer's name, not another name (RFC 5280 6.3.3)", async () => {
    const spelt = authorityOf("Issuing CA", undefined, {
      subject: [attribute(oids.commonName, printableString("Issuing CA"))],
    });
    const renamed = authorityOf("Renamed CA", undefined, { key: issuing.key });
    for (const [lists, outcome] of [
      [listOf(spelt), "accepted"],
      [listOf(issuing), "accepted"],
      [listOf(spelt, { revoked: revoked("4a0b") }), "certificate_revoked"],
      [listOf(renamed), "unavailable"],
    ] as const)
      expect((await answered(lists, tppUnder(spelt, onlyCrl))).outcome).to.equal(outcome);
  });

  it("keeps using a list within its validity if no newer one can be fetched", async () => {
    const world = revocationWorld({ cacheSeconds: 600, graceSeconds: 0 });
    world.sources.set(crlUrl, () => listOf(issuing, { nextUpdate: minutes(60) }));
    expect(await world.call(tpp)).to.equal("accepted");
    world.sources.clear();
    world.pass(50 * 60);
    expect(await world.call(second)).to.equal("accepted");
    const asked = world.asked(crlUrl);
    world.pass(60);
    expect(await world.call(second)).to.equal("accepted");
    expect(world.asked(crlUrl), "as long as any answer serves nobody is asked again").to.equal(asked);
    world.pass(10 * 60);
    expect(await world.call(tpp)).to.equal("unavailable");
  });

  it("does not go back to an older list, even one that is still valid", async () => {
    const world = revocationWorld();
    world.sources.set(crlUrl, () => listOf(issuing, { revoked: revoked("07") }));
    expect(await world.call(tpp)).to.equal("accepted");
    world.sources.set(crlUrl, () => listOf(issuing, { thisUpdate: minutes(-60) }));
    world.pass(601);
    expect(await world.call(second)).to.equal("certificate_revoked");
    expect(world.asked(crlUrl)).to.equal(2);
  });

  it("is not used for a certificate with distribution points that are not supported", async () => {
    for (const members of [
      [named(crlUrl), derElement(0x81, Buffer.from([1, 6]))],
      [named(crlUrl), derElement(0xa2, derElement(0xa4, issuing.name))],
      [derElement(0xa0, derElement(0xa1, derSequence(derOid("2.5.4.3"), derUtf8String("part 1"))))],
      [named("ldap://crl.test/list")],
      [named("http://user@crl.test/list.crl")],
      [named("no url")],
    ]) {
      const points = extension({
        oid: "2.5.29.31",
        critical: false,
        value: derSequence(derSequence(...members)),
      });
      const world = revocationWorld();
      expect(await world.call(tppUnder(issuing, [points]))).to.equal("revocation_source_missing");
      expect(world.questions).to.be.empty;
    }
  });
});
