import {
  authorityOf,
  createCertificateVerifier,
  parseOrganisationIdentifier,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import {
  Set as Asn1Set,
  BmpString,
  fromBER,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Sequence,
  Utf8String,
} from "asn1js";
import { expect } from "chai";
import fc from "fast-check";
import { readPsd2Statement } from "../../packages/psd2-certificates/src/psd2/psd2-statement.ts";
import {
  readQcStatements,
  requireWebsiteType,
} from "../../packages/psd2-certificates/src/psd2/qc-statements.ts";
import {
  readOrganisationIdentifier,
  readOrganisationName,
} from "../../packages/psd2-certificates/src/psd2/subject.ts";
import { readCertificate } from "../../packages/psd2-certificates/src/x509/read-certificate.ts";
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  anchorFile,
  authority,
  authorityPlan,
  issue,
  nameOf,
  now,
  present,
  qwacExtensions,
  qwacPlan,
  tppSubject,
} from "./certificate-builder.ts";
import { refusalOf } from "./refusal-of.ts";

const seed = 20_261_115;

/** One change of some octets; `place` is so many ten-thousandths of the whole. */
type Mutation = {
  readonly kind: "set" | "flip" | "insert" | "remove" | "repeat";
  readonly place: number;
  readonly octet: number;
};

const mutations = fc.array(
  fc.record<Mutation>({
    kind: fc.constantFrom("set", "set", "flip", "flip", "flip", "insert", "remove", "repeat"),
    place: fc.nat(9999),
    octet: fc.nat(255),
  }),
  { minLength: 1, maxLength: 2 },
);

function mutate(bytes: Buffer, { kind, place, octet }: Mutation): Buffer {
  const at = Math.floor((place * bytes.length) / 10_000);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
  const here = bytes[at] ?? 0;
  const middles = {
    set: [octet],
    flip: [here ^ (1 << (octet % 8))],
    insert: [octet, here],
    remove: [],
    repeat: [here, ...bytes.subarray(at, at + (octet % 16))],
  };
  return Buffer.concat([before, Buffer.from(middles[kind]), after]);
}

/** What both readers say of a certificate. */
type Reading = {
  readonly authority: { readonly id: string; readonly name: string };
  readonly roles: readonly string[];
  readonly organisationIdentifier: string;
  readonly organisationName: string;
};

function ourReading(der: Buffer): Reading {
  const leaf = readCertificate(der);
  const statements = readQcStatements(leaf);
  requireWebsiteType(statements);
  return {
    ...readPsd2Statement(statements),
    organisationIdentifier: readOrganisationIdentifier(leaf.subject),
    organisationName: readOrganisationName(leaf.subject),
  };
}

/** The same by an independent ASN.1 library; meant for certificates that ours accepted, so it only looks things up. */
function otherReading(der: Buffer): Reading {
  const tbs = members(members(parse(der))[0]);
  const attributes = members(tbs[5]).flatMap(members).map(members);
  const values = (oid: string) =>
    attributes.filter(([type]) => text(type) === oid).map(([, value]) => text(value));
  const extensions = members(members(tbs.at(-1))[0]).map(members);
  const qcStatements = extensions.find(([oid]) => text(oid) === "1.3.6.1.5.5.7.1.3")?.at(-1);
  const statements = members(parse(octets(qcStatements))).map(members);
  const [roles, name, id] = members(statements.find(([oid]) => text(oid) === "0.4.0.19495.2")?.[1]);
  return {
    authority: { id: text(id), name: text(name) },
    roles: members(roles)
      .map((role) => text(members(role)[1]))
      .filter((role) => /^PSP_(AS|PI|AI|IC)$/.test(role)),
    organisationIdentifier: values("2.5.4.97").join("|"),
    organisationName: values("2.5.4.10").join("|"),
  };
}

/** The other library gives up on the whole because of something that neither reader looks at. */
class NoOpinion extends Error {}

function parse(der: Uint8Array): unknown {
  const { offset, result } = fromBER(Uint8Array.from(der).buffer);
  if (offset === -1) throw new NoOpinion(result.error);
  return result;
}

/** Whether the other library reads the same; it may have no opinion, but no other one. */
function isConfirmed(der: Buffer, ours: Reading): boolean {
  try {
    expect(ours).to.deep.include(otherReading(der));
    return true;
  } catch (error) {
    if (error instanceof NoOpinion) return false;
    throw error;
  }
}

function members(node: unknown): readonly unknown[] {
  if (node instanceof Sequence || node instanceof Asn1Set) return node.valueBlock.value;
  const inside = (node as { valueBlock?: { value?: unknown } } | undefined)?.valueBlock?.value;
  return Array.isArray(inside) ? inside : [];
}

function octets(node: unknown): Uint8Array {
  return node instanceof OctetString ? node.valueBlock.valueHexView : new Uint8Array();
}

function text(node: unknown): string {
  if (node instanceof ObjectIdentifier) return node.valueBlock.toString();
  const isText = node instanceof Utf8String || node instanceof PrintableString || node instanceof BmpString;
  return isText ? node.valueBlock.value : `not a text: ${String(node)}`;
}

describe("A mutated certificate", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([issuing])) });
  const right = issue(qwacPlan(), issuing).der;

  it("is read by ours as an independent library reads it when nothing was mutated", () => {
    expect(ourReading(right)).to.deep.equal(otherReading(right));
  });

  it("is refused with a code, or read as an independent library reads it", () => {
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const der = changes.reduce(mutate, right);
      if (refusalOf(() => ourReading(der)) !== "accepted") return;
      confirmed += Number(isConfirmed(der, ourReading(der)));
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 3000 });
    expect(confirmed).to.be.above(300);
  });

  it("is never believed unless its issuer signed it", () => {
    const holds = (changes: readonly Mutation[]) => {
      const der = changes.reduce(mutate, right);
      if (der.equals(right)) return;
      expect(refusalOf(() => verifier.verify(present(der), now))).to.be.oneOf([
        "certificate_malformed",
        "chain_untrusted",
      ]);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 1000 });
  });

  it("gives a whole identity or a refusal when its issuer signed it, whatever its statements say", () => {
    const statements = Buffer.from(encodeQcStatements("web", { roles: ["PSP_AI", "PSP_IC"], authority }));
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const { der } = issue(
        qwacPlan({ extensions: qwacExtensions(changes.reduce(mutate, statements)) }),
        issuing,
      );
      if (refusalOf(() => verifier.verify(present(der), now)) !== "accepted") return;
      const tpp = verifier.verify(present(der), now);
      confirmed += Number(isConfirmed(der, tpp));
      expect(authorityOf(tpp.organisationIdentifier)).to.equal(tpp.authority.id);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 800 });
    expect(confirmed).to.be.above(20);
  });

  it("gives a whole identity or a refusal when its issuer signed it, whatever its subject says", () => {
    const subject = Buffer.from(nameOf(tppSubject()));
    let confirmed = 0;
    const holds = (changes: readonly Mutation[]) => {
      const { der } = issue({ ...qwacPlan(), encodedSubject: changes.reduce(mutate, subject) }, issuing);
      if (refusalOf(() => verifier.verify(present(der), now)) !== "accepted") return;
      const tpp = verifier.verify(present(der), now);
      confirmed += Number(isConfirmed(der, tpp));
      expect(parseOrganisationIdentifier(tpp.organisationIdentifier)).to.equal(tpp.organisationIdentifier);
    };
    fc.assert(fc.property(mutations, holds), { seed, numRuns: 800 });
    expect(confirmed).to.be.above(60);
  });
});
