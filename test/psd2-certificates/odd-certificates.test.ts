import { createPublicKey } from "node:crypto";
import { createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import {
  basicConstraints,
  certificatePolicies,
  extendedKeyUsage,
  keyUsage,
  qcStatements,
  subjectAlternativeName,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  derBoolean,
  derElement,
  derOctetString,
  derOid,
  derSequence,
  derUtf8String,
} from "../../packages/sandbox/src/certificates/der.ts";
import {
  encodePsd2Statement,
  encodeQcStatements,
} from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  anchorFile,
  attribute,
  authority,
  authorityPlan,
  bmpString,
  extension,
  generalizedTime,
  issue,
  keyOf,
  now,
  oids,
  type Plan,
  pointOf,
  present,
  printableString,
  qwacExtensions,
  qwacPlan,
  rsaWith,
  tppSubject,
} from "./certificate-builder.ts";

const subjectWith = (oid: string, value: Uint8Array) => [
  ...tppSubject().filter((each) => each.oid !== oid),
  attribute(oid, value),
];
const rolesOf = (...numbers: readonly (readonly [number, string])[]) =>
  derSequence(
    derSequence(derOid("0.4.0.1862.1.1")),
    derSequence(derOid("0.4.0.1862.1.6"), derSequence(derOid("0.4.0.1862.1.6.3"))),
    derSequence(
      derOid("0.4.0.19495.2"),
      derSequence(
        derSequence(
          ...numbers.map(([n, name]) => derSequence(derOid(`0.4.0.19495.1.${n}`), derUtf8String(name))),
        ),
        derUtf8String(authority.name),
        derUtf8String(authority.id),
      ),
    ),
  );
const universal = (text: string) =>
  derElement(
    0x1c,
    ...[...text].map((character) => {
      const octets = Buffer.alloc(4);
      octets.writeUInt32BE(character.codePointAt(0) ?? 0);
      return octets;
    }),
  );

describe("An odd but legal certificate", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const anchors = parseTrustAnchors(anchorFile([issuing]));
  const accept = (changes: Partial<Plan>) =>
    createCertificateVerifier({ anchors }).verify(present(issue(qwacPlan(changes), issuing).der), now);

  it("yields all that is known of the TPP (ETSI TS 119 495 5.1, 5.2)", () => {
    const { thumbprint, twinThumbprint, ...tpp } = accept({});
    expect(tpp).to.deep.equal({
      organisationIdentifier: "PSDCZ-CNB-63492555",
      organisationName: "Účetní pomocník s.r.o.",
      country: "CZ",
      authority,
      roles: ["PSP_AI", "PSP_PI"],
      serialNumber: "4A0B",
      issuer: "CN=Issuing CA",
      notBefore: new Date("2026-01-01T00:00:00Z"),
      notAfter: new Date("2027-01-01T00:00:00Z"),
    });
    for (const each of [thumbprint, twinThumbprint]) expect(each).to.match(/^[\w-]{43}$/);
    expect(twinThumbprint).to.not.equal(thumbprint);
  });

  it("may have a key with a compressed point (RFC 5480 2.2)", () => {
    const { x = "" } = createPublicKey(keyOf("P-256", "leaf")).export({ format: "jwk" });
    for (const sign of [2, 3]) {
      const encodedKey = pointOf(Buffer.concat([Buffer.from([sign]), Buffer.from(x, "base64url")]));
      expect(accept({ encodedKey }).country).to.equal("CZ");
    }
  });

  it("may have an RSA key of the maximum size, or with the smallest exponent", () => {
    for (const key of [rsaWith({ n: Buffer.alloc(1_024, 0xff) }), rsaWith({ e: Buffer.from([3]) })])
      expect(accept({ key }).country).to.equal("CZ");
  });

  it("yields an identity that its receivers cannot change", () => {
    const tpp = accept({});
    expect([tpp, tpp.roles, tpp.authority].every(Object.isFrozen)).to.equal(true);
  });

  for (const kind of ["P-384", "P-521", "ed25519", "rsa-2048"] as const) {
    it(`may have a key of kind ${kind}`, () => {
      expect(accept({ key: keyOf(kind) }).country).to.equal("CZ");
    });
  }

  for (const signedWith of ["rsa-sha256", "pss-sha256"] as const) {
    it(`may be signed with ${signedWith}`, () => {
      const rsa = issue(authorityPlan("RSA CA", { key: keyOf("rsa-2048") }));
      const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([rsa])) });
      expect(verifier.verify(present(issue(qwacPlan({ signedWith }), rsa).der), now).country).to.equal("CZ");
    });
  }

  it("may be signed with Ed25519", () => {
    const edwards = issue(authorityPlan("Edwards CA", { key: keyOf("ed25519", "CA") }));
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([edwards])) });
    expect(verifier.verify(present(issue(qwacPlan(), edwards).der), now).country).to.equal("CZ");
  });

  it("may have hyphens in its number: the split is at the second hyphen only", () => {
    const statements = encodeQcStatements("web", {
      roles: ["PSP_AI"],
      authority: { id: "FI-FINFSA", name: "Finanssivalvonta" },
    });
    const tpp = accept({
      subject: tppSubject("PSDFI-FINFSA-2858394-9"),
      extensions: qwacExtensions(statements),
    });
    expect(tpp).to.include({ organisationIdentifier: "PSDFI-FINFSA-2858394-9", country: "FI" });
  });

  for (const number of ["00012345", "HRB 12345 B", "12/345#6", "Ž-ŠČ-9", "1"]) {
    it(`may have the authorisation number ${number}, kept as it is (GEN-5.2.1-3)`, () => {
      const identifier = `PSDCZ-CNB-${number}`;
      expect(accept({ subject: tppSubject(identifier) }).organisationIdentifier).to.equal(identifier);
    });
  }

  for (const [type, encode] of [
    ["BMPString", bmpString],
    ["UniversalString", universal],
    ["UTF8String", derUtf8String],
  ] as const) {
    it(`may have its name as ${type}`, () => {
      const tpp = accept({ subject: subjectWith(oids.organisation, encode("Žlutý kůň a.s.")) });
      expect(tpp.organisationName).to.equal("Žlutý kůň a.s.");
    });
  }

  it("may have its name as TeletexString, read as Latin-1", () => {
    const value = derElement(0x14, Buffer.from("Société Générale", "latin1"));
    expect(accept({ subject: subjectWith(oids.organisation, value) }).organisationName).to.equal(
      "Société Générale",
    );
  });

  it("may have its identifier as PrintableString, the same identity as in UTF8String", () => {
    const tpp = accept({ subject: subjectWith(oids.identifier, printableString("PSDCZ-CNB-63492555")) });
    expect(tpp.organisationIdentifier).to.equal("PSDCZ-CNB-63492555");
  });

  it("may have a name of 256 characters beyond the basic plane", () => {
    const name = "🏦".repeat(256);
    expect(accept({ subject: tppSubject(undefined, name) }).organisationName).to.equal(name);
  });

  it("may have all four roles, kept in the order of the certificate", () => {
    const statements = rolesOf([4, "PSP_IC"], [1, "PSP_AS"], [3, "PSP_AI"], [2, "PSP_PI"]);
    expect(accept({ extensions: qwacExtensions(statements) }).roles).to.deep.equal([
      "PSP_IC",
      "PSP_AS",
      "PSP_AI",
      "PSP_PI",
    ]);
  });

  for (const [number, name] of [
    [5, "PSP_CB"],
    [6, "PSP_PA"],
    [51, "VOP_RS"],
    [52, "VOP_VS"],
  ] as const)
    it(`may have the role ${name} beside its own, which is ignored (TS 119 495 V1.8.1)`, () => {
      const statements = rolesOf([3, "PSP_AI"], [number, name]);
      expect(accept({ extensions: qwacExtensions(statements) }).roles).to.deep.equal(["PSP_AI"]);
    });

  it("may have further statements, known and unknown, in any order", () => {
    const statements = derSequence(
      derSequence(derOid("2.25.329800735698586629295641978511506172918"), derUtf8String("unknown")),
      encodePsd2Statement({ roles: ["PSP_IC"], authority }),
      derSequence(derOid("0.4.0.1862.1.6"), derSequence(derOid("0.4.0.1862.1.6.3"))),
      derSequence(derOid("0.4.0.1862.1.4")),
      derSequence(derOid("0.4.0.1862.1.1")),
    );
    expect(accept({ extensions: qwacExtensions(statements) }).roles).to.deep.equal(["PSP_IC"]);
  });

  it("may lack basicConstraints and keyUsage (RFC 5280 4.2.1.3, 4.2.1.9)", () => {
    expect(accept({ extensions: qwacExtensions().slice(2) }).country).to.equal("CZ");
  });

  it("may have the client purpose alone, or among others", () => {
    for (const purposes of [
      extendedKeyUsage("clientAuth"),
      extendedKeyUsage("emailProtection", "clientAuth"),
    ]) {
      const [constraints, usage, , statements] = qwacExtensions().map((each) => each);
      const extensions = [constraints, usage, extension(purposes), statements].filter(
        (each) => each !== undefined,
      );
      expect(accept({ extensions }).country).to.equal("CZ");
    }
  });

  it("may have critical names and policies, which have no effect here", () => {
    const critical = [subjectAlternativeName(["tpp.example"]), certificatePolicies("0.4.0.194112.1.4")];
    const extensions = [
      ...qwacExtensions(),
      ...critical.map((each) => extension({ ...each, critical: true })),
    ];
    expect(accept({ extensions }).country).to.equal("CZ");
  });

  it("may spell out the default of an extension, against DER", () => {
    const { oid, value } = qcStatements(encodeQcStatements("web", { roles: ["PSP_AI"], authority }));
    const spelledOut = derSequence(derOid(oid), derBoolean(false), derOctetString(value));
    const noAuthority = extension({ ...basicConstraints(false), value: derSequence(derBoolean(false)) });
    const extensions = [
      noAuthority,
      extension(keyUsage("digitalSignature")),
      extension(extendedKeyUsage("clientAuth")),
      spelledOut,
    ];
    expect(accept({ extensions }).country).to.equal("CZ");
  });

  it("may be valid until the year 9999", () => {
    const tpp = accept({ notAfter: generalizedTime("99991231235959Z") });
    expect(tpp.notAfter.getUTCFullYear()).to.equal(9999);
  });

  it("may have a serial number of 20 octets with its highest bit set", () => {
    const serial = derElement(0x02, Buffer.alloc(1), Buffer.alloc(20, 0xff));
    expect(accept({ serial }).serialNumber).to.equal("FF".repeat(20));
  });

  it("may have several attributes in one part of its subject (RFC 5280 4.1.2.4)", () => {
    const [country, ...others] = tppSubject();
    const subject = [{ oid: oids.country, value: printableString("CZ"), beside: others }];
    expect(country?.oid).to.equal(oids.country);
    expect(accept({ subject }).organisationName).to.equal("Účetní pomocník s.r.o.");
  });
});
