import { expect } from "chai";
import { membersOf, readDer, tags } from "../../../packages/psd2-certificates/src/der/der-element.ts";
import {
  extendedKeyUsage,
  keyUsage,
} from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import { derElement, derSequence } from "../../../packages/sandbox/src/certificates/der.ts";
import { readOcspRequest } from "../../../packages/sandbox/src/certificates/ocsp-request.ts";
import {
  certId,
  ocspFailure,
  signOcspResponse,
} from "../../../packages/sandbox/src/certificates/ocsp-response.ts";
import { startWaiting } from "../../support/stopwatch.ts";
import {
  attribute,
  authorityPlan,
  extension,
  type Issued,
  issue,
  keyOf,
  nameOf,
  oids,
  type Plan,
  pointOf,
  printableString,
  utcTime,
} from "../certificate-builder.ts";
import {
  authorityOf,
  crlUrl,
  listOf,
  minutes,
  ocspUrl,
  responderOf,
  revocationWorld,
  type Source,
  signerOf,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");
const stranger = authorityOf("Strange CA");
const tpp = tppUnder(issuing);

const delegateExtensions = [
  extension(keyUsage("digitalSignature")),
  extension(extendedKeyUsage("OCSPSigning")),
];

/** A certificate of one who answers for an authority. */
function delegateOf(issuer: Issued, changes: Partial<Plan> = {}): Issued {
  return issue(authorityPlan("Responder", { extensions: delegateExtensions, ...changes }), issuer);
}

/** One that a stranger made, with a certificate of the authority in it, which Node.js reads in the place of the whole. */
function delegateAround({ pem, name, key }: Issued): Issued {
  const copy = extension({ oid: "1.2.3.4", critical: false, value: Buffer.from(`\n${pem}`) });
  const plan = authorityPlan("", { encodedSubject: name, extensions: [...delegateExtensions, copy] });
  return { ...issue(plan, { ...issuing, key: keyOf("P-256", "stranger") }), key };
}

function delegated(delegate: Issued, certificates: readonly Issued[] = [delegate]): Source {
  return responderOf(delegate, { response: { certificates: certificates.map(({ pem }) => pem) } });
}

/** An answer by one who has the name of a delegate, with the certificate of that one. */
function namedAs({ pem }: Issued): Source {
  return responderOf(delegateOf(issuing), { response: { certificates: [pem], responderId: "name" } });
}

/** What a source's answer comes to, and the one event that was told of it. */
async function answered(source: Source | undefined, demand: "certain" | "known" = "certain") {
  const world = revocationWorld();
  if (source !== undefined) world.sources.set(ocspUrl, source);
  const outcome = await world.call(tpp, demand);
  const told = world.events.flatMap((event) =>
    event.kind === "answer" && event.source === "ocsp" ? [`${event.outcome}: ${event.detail}`] : [],
  );
  return { outcome, told: told.join() };
}

/** The same response with its last octet, which is of the signature, turned. */
const spoilt =
  (source: Source): Source =>
  async (question) => {
    const response = Buffer.from(await source(question));
    response[response.length - 1] = (response.at(-1) ?? 0) ^ 1;
    return response;
  };

/** A right answer in every other thing: its first member is the status, which is 0 in one octet (RFC 6960 4.2.1). */
const withStatus =
  (...octets: readonly number[]): Source =>
  async (question) => {
    const [, ...others] = membersOf(readDer(await responderOf(issuing)(question)), tags.sequence);
    return Buffer.from(
      derSequence(derElement(0x0a, Buffer.from(octets)), ...others.map(({ encoded }) => encoded)),
    );
  };

/** An answer about the certificate of another issuer that has the serial number of ours. */
const aboutSameSerialOf = ({ pem: issuerPem }: Issued): Source =>
  responderOf(issuing, { answer: { subject: { issuerPem, serialNumber: "4a0b" } } });

/** An answer about our certificate after so many about another one. */
const behindOthers =
  (count: number): Source =>
  (question) => {
    const [asked] = readOcspRequest(question.body ?? Buffer.alloc(0)).certIds;
    const times = { thisUpdate: minutes(-1), nextUpdate: minutes(60) };
    const other = { subject: certId(otherSerial), status: { revokedAt: minutes(-1) }, ...times };
    const own = { subject: asked?.encoded ?? Buffer.alloc(0), status: "good" as const, ...times };
    const answers = [...Array.from({ length: count }, () => other), own];
    return responderOf(issuing, { response: { answers } })(question);
  };

/** An answer of a delegate, whose certificate comes as the last of so many. */
function delegatedAmong(count: number): Source {
  const delegate = delegateOf(issuing);
  return delegated(delegate, [...Array.from({ length: count - 1 }, () => stranger), delegate]);
}

const critical = { oid: "1.2.3.4", critical: true, value: derElement(0x05) };
const otherSerial = { issuerPem: issuing.pem, serialNumber: "4a0c" };

describe("An OCSP answer", () => {
  for (const [what, source] of [
    ["of the issuer, named by its key", responderOf(issuing)],
    ["of the issuer, named by its name", responderOf(issuing, { response: { responderId: "name" } })],
    ["of a delegate of the issuer (RFC 6960 4.2.2.2)", delegated(delegateOf(issuing))],
    [
      "of a delegate whose issuer is spelt otherwise (RFC 5280 7.1)",
      delegated(
        delegateOf({ ...issuing, name: nameOf([attribute(oids.commonName, printableString("Issuing CA"))]) }),
      ),
    ],
    [
      "of a delegate without keyUsage (RFC 5280 4.2.1.3)",
      delegated(delegateOf(issuing, { extensions: [extension(extendedKeyUsage("OCSPSigning"))] })),
    ],
    [
      "of a delegate in its first second (RFC 5280 4.1.2.5)",
      delegated(delegateOf(issuing, { notBefore: utcTime("261115120000Z") })),
    ],
    [
      "of a delegate in its last second (RFC 5280 4.1.2.5)",
      delegated(delegateOf(issuing, { notAfter: utcTime("261115120000Z") })),
    ],
    ["of a delegate with an RSA key", delegated(delegateOf(issuing, { key: keyOf("rsa-2048") }))],
    [
      "that repeats no nonce (RFC 9654 2.1)",
      responderOf(issuing, { response: { nonce: undefined } as never }),
    ],
    ["without nextUpdate that is new", responderOf(issuing, { answer: { nextUpdate: undefined } as never })],
    [
      "of a clock that is four minutes ahead",
      responderOf(issuing, { answer: { thisUpdate: minutes(4), nextUpdate: minutes(60) } }),
    ],
    ["beside one about another certificate", behindOthers(1)],
    ["beside ninety-nine about other certificates", behindOthers(99)],
    ["of a delegate whose certificate is the last of eight", delegatedAmong(8)],
    [
      "with an extension that is not critical",
      responderOf(issuing, { response: { extensions: [{ ...critical, critical: false }] } }),
    ],
  ] as const) {
    it(`${what} is accepted`, async () => {
      expect(await answered(source)).to.deep.equal({
        outcome: "accepted",
        told: "good: OCSP ocsp.test: good",
      });
    });
  }

  for (const [what, answer, told] of [
    ["revoked", { revokedAt: minutes(-5), reason: "keyCompromise" }, "revoked, keyCompromise"],
    ["revoked without a reason", { revokedAt: minutes(-5) }, "revoked, no reason given"],
    ["on hold", { revokedAt: minutes(-5), reason: "certificateHold" }, "revoked, certificateHold"],
  ] as const) {
    it(`refuses a certificate that is ${what} (RFC 6960 2.2)`, async () => {
      expect(await answered(responderOf(issuing, { answer: { status: answer } }), "known")).to.deep.equal({
        outcome: "certificate_revoked",
        told: `revoked: OCSP ocsp.test: ${told}`,
      });
    });
  }

  for (const [what, source, told] of [
    ["from nobody", undefined, /nobody listens/],
    [
      "that the certificate is unknown",
      responderOf(issuing, { answer: { status: "unknown" } }),
      /^unknown: /,
    ],
    ["with a wrong signature", spoilt(responderOf(issuing)), /not signed by CN=Issuing CA/],
    [
      "signed with SHA-1",
      responderOf(issuing, { response: { signatureHash: "sha1" } }),
      /signed with 1\.2\.840/,
    ],
    ["of a foreign responder", responderOf(stranger), /neither the issuer nor certified in the answer/],
    [
      "of an authority that only has the same name",
      responderOf(authorityOf("Issuing CA", undefined, { key: keyOf("P-256", "double") }), {
        response: { responderId: "name" },
      }),
      /not signed by CN=Issuing CA/,
    ],
    [
      "of a foreign responder that brings its certificate",
      delegated(stranger),
      /the issuer did not certify the delegated responder/,
    ],
    [
      "of a delegate of another authority",
      delegated(delegateOf(stranger)),
      /the issuer did not certify the delegated responder/,
    ],
    [
      "of a delegate of an authority of another name with the same key",
      delegated(delegateOf(authorityOf("Renamed CA", undefined, { key: issuing.key }))),
      /the issuer did not certify the delegated responder/,
    ],
    [
      "of a delegate of a delegate",
      delegated(delegateOf(delegateOf(issuing), { key: keyOf("P-256", "second") })),
      /the issuer did not certify the delegated responder/,
    ],
    [
      "of a delegate that is not in it",
      delegated(delegateOf(issuing), []),
      /neither the issuer nor certified in the answer/,
    ],
    [
      "of a delegate without OCSPSigning, such as the TPP itself",
      delegated(delegateOf(issuing, { extensions: [extension(extendedKeyUsage("clientAuth"))] })),
      /no OCSPSigning/,
    ],
    [
      "of a delegate without any extKeyUsage",
      delegated(delegateOf(issuing, { extensions: [extension(keyUsage("digitalSignature"))] })),
      /no OCSPSigning/,
    ],
    [
      "of a delegate without digitalSignature",
      delegated(
        delegateOf(issuing, {
          extensions: [extension(keyUsage("keyEncipherment")), extension(extendedKeyUsage("OCSPSigning"))],
        }),
      ),
      /no digitalSignature/,
    ],
    [
      "of a delegate that has expired",
      delegated(delegateOf(issuing, { notAfter: utcTime("261115115959Z") })),
      /is not valid now/,
    ],
    [
      "of a delegate that is not valid yet",
      delegated(delegateOf(issuing, { notBefore: utcTime("261115120001Z") })),
      /is not valid now/,
    ],
    [
      "of a delegate with a weak key",
      delegated(delegateOf(issuing, { key: keyOf("rsa-1024") })),
      /RSA of 1024 bits/,
    ],
    [
      "of a delegate with its key at infinity, of which Node.js 20 would die",
      namedAs(delegateOf(issuing, { encodedKey: pointOf(Buffer.alloc(1)) })),
      /unsupported key: unreadable/,
    ],
    [
      "of a delegate whose certificate is signed with SHA-1",
      delegated(delegateOf(issuing, { signedWith: "ecdsa-sha1" })),
      /signed with/,
    ],
    [
      "of a delegate with a critical extension that nobody understands (RFC 5280 4.2)",
      delegated(delegateOf(issuing, { extensions: [...delegateExtensions, extension(critical)] })),
      /delegated responder has the unsupported critical extension 1\.2\.3\.4/,
    ],
    [
      "of a delegate that nobody certified, around the PEM of a certificate whose key signs",
      responderOf(tpp, { response: { certificates: [delegateAround(tpp).pem], responderId: "name" } }),
      /neither the issuer nor certified in the answer/,
    ],
    [
      "that is stale",
      responderOf(issuing, { answer: { thisUpdate: minutes(-60), nextUpdate: minutes(-6) } }),
      /expired at/,
    ],
    [
      "without nextUpdate that is old",
      responderOf(issuing, { answer: { thisUpdate: minutes(-21), nextUpdate: undefined } as never }),
      /expired at/,
    ],
    ["of the future", responderOf(issuing, { answer: { thisUpdate: minutes(6) } }), /in the future/],
    [
      "that ends before it begins",
      responderOf(issuing, { answer: { thisUpdate: minutes(3), nextUpdate: minutes(2) } }),
      /nextUpdate is before thisUpdate/,
    ],
    [
      "about another certificate",
      responderOf(issuing, { answer: { subject: otherSerial } }),
      /about another certificate/,
    ],
    [
      "about the certificate of another issuer with the same serial number",
      aboutSameSerialOf(stranger),
      /about another certificate/,
    ],
    [
      "about the certificate of an issuer of the same name, whose key is another one",
      aboutSameSerialOf(authorityOf("Issuing CA", undefined, { key: keyOf("P-256", "double") })),
      /about another certificate/,
    ],
    [
      "about the certificate of an issuer of another name, whose key is the same",
      aboutSameSerialOf(authorityOf("Renamed CA", undefined, { key: issuing.key })),
      /about another certificate/,
    ],
    [
      "about the certificate by another hash than asked",
      responderOf(issuing, {
        answer: { subject: { issuerPem: issuing.pem, serialNumber: "4a0b", hash: "sha256" } },
      }),
      /about another certificate/,
    ],
    [
      "that says two things about it",
      ((question) => {
        const [asked] = readOcspRequest(question.body ?? Buffer.alloc(0)).certIds;
        const subject = asked?.encoded ?? Buffer.alloc(0);
        const answer = { subject, thisUpdate: minutes(-1), status: "good" as const };
        const answers = [answer, { ...answer, status: { revokedAt: minutes(-1) } }];
        return responderOf(issuing, { response: { answers } })(question);
      }) satisfies Source,
      /two answers/,
    ],
    [
      "with the nonce of another question",
      responderOf(issuing, { response: { nonce: Buffer.alloc(32, 7) } }),
      /nonce is not that of the request/,
    ],
    [
      "with a critical extension",
      responderOf(issuing, { response: { extensions: [critical] } }),
      /1\.2\.3\.4/,
    ],
    [
      "with a critical extension of the single answer",
      responderOf(issuing, { answer: { extensions: [critical] } }),
      /1\.2\.3\.4/,
    ],
    ["about more than a hundred certificates", behindOthers(100), /more than 100 members/],
    ["with more than eight certificates", delegatedAmong(9), /more than 8 members/],
    ["tryLater", () => ocspFailure("tryLater"), /answered tryLater/],
    ["unauthorized", () => ocspFailure("unauthorized"), /answered unauthorized/],
    ["malformedRequest", () => ocspFailure("malformedRequest"), /answered malformedRequest/],
    ["of garbage", () => Buffer.from("<html>It works!</html>"), /failed: /],
    ["of nothing", () => Buffer.alloc(0), /failed: /],
    ["with a status of no octet", withStatus(), /ENUMERATED is not one octet from 0 to 127/],
    ["with a status of two octets", withStatus(0, 0), /ENUMERATED is not one octet from 0 to 127/],
    ["with a negative status", withStatus(0x80), /ENUMERATED is not one octet from 0 to 127/],
    ["that is huge", () => Buffer.alloc(65_537), /longer than 65536 octets/],
  ] as const) {
    it(`${what} is unusable`, async () => {
      const { outcome, told: reported } = await answered(source);
      expect(reported).to.match(told);
      expect(outcome).to.equal("unavailable");
    });

    it(`${what} leaves the decision to the CRL`, async () => {
      for (const [serialNumber, outcome] of [
        ["4a0c", "accepted"],
        ["4a0b", "certificate_revoked"],
      ] as const) {
        const world = revocationWorld();
        if (source !== undefined) world.sources.set(ocspUrl, source);
        world.sources.set(crlUrl, () =>
          listOf(issuing, { revoked: [{ serialNumber, revokedAt: minutes(-9) }] }),
        );
        expect(await world.call(tpp)).to.equal(outcome);
      }
    });
  }

  it("is accepted as signed, and unusable if any octet of it is changed", async () => {
    const world = revocationWorld();
    const whole = signOcspResponse(signerOf(delegateOf(issuing)), {
      producedAt: minutes(-1),
      answers: [
        {
          subject: { issuerPem: issuing.pem, serialNumber: "4a0b" },
          status: "good",
          thisUpdate: minutes(-1),
          nextUpdate: minutes(100_000),
        },
      ],
      certificates: [delegateOf(issuing).pem],
    });
    world.sources.set(ocspUrl, () => whole);
    expect(await world.call(tpp)).to.equal("accepted");
    world.pass(1000);
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      world.sources.set(ocspUrl, () => changed);
      expect(await world.call(tpp), `octet ${at}`).to.equal("unavailable");
      // Until the failure is forgotten.
      world.pass(6);
    }
  });
});

describe("An OCSP request", () => {
  it("is one POST with a fresh nonce of 32 octets about one certificate (RFC 6960 A.1, RFC 9654 2.1)", async () => {
    const nonces = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const world = revocationWorld();
      world.sources.set(ocspUrl, responderOf(issuing));
      await world.call(tpp);
      expect(world.asked(ocspUrl)).to.equal(1);
      const question = world.questions.find(({ url }) => url.href === ocspUrl);
      expect(question).to.include({
        contentType: "application/ocsp-request",
        accept: "application/ocsp-response",
        limitOctets: 65_536,
        limitMilliseconds: 2_000,
      });
      const { certIds, nonce } = readOcspRequest(question?.body ?? Buffer.alloc(0));
      expect(certIds).to.have.length(1);
      expect(certIds[0]?.encoded).to.deep.equal(certId({ issuerPem: issuing.pem, serialNumber: "4a0b" }));
      expect(nonce).to.have.length(32);
      nonces.add(nonce?.toString("hex") ?? "");
    }
    expect(nonces.size).to.equal(2);
  });

  it("goes to the responders in turn, which share the time", async () => {
    const urls = ["http://a.test/", "http://b.test/", "http://c.test/"];
    const world = revocationWorld();
    world.sources.set("http://b.test/", () => {
      world.pass(1);
      return Buffer.from("?");
    });
    world.sources.set("http://c.test/", responderOf(issuing));
    expect(await world.call(tppUnder(issuing, sourcesAt(urls, [])))).to.equal("accepted");
    expect(world.questions.map(({ url }) => url.href)).to.deep.equal(urls);
    expect(world.questions.map(({ limitMilliseconds }) => limitMilliseconds)).to.deep.equal([
      667, 1000, 1000,
    ]);
  });

  it("is given up after its time limit, even if the connection does not end", async function () {
    this.timeout(120_000);
    const world = revocationWorld();
    world.sources.set(ocspUrl, () => new Promise<Buffer>(() => undefined));
    const start = performance.now();
    const waited = startWaiting();
    expect(await world.call(tpp)).to.equal("unavailable");
    expect(performance.now() - start).to.be.above(1_900);
    expect(waited()).to.be.below(4_600);
  });
});
