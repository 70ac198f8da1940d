import { parseTrustAnchors, TrustAnchorFileError } from "@cobs/psd2-certificates";
import { expect } from "chai";
import {
  basicConstraints,
  keyUsage,
  permittedDnsNames,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import { derSmallInteger } from "../../packages/sandbox/src/certificates/der.ts";
import { anchorFile, authorityPlan, extension, issue, keyOf, qwacPlan } from "./certificate-builder.ts";

function faultsOf(json: unknown): readonly string[] {
  try {
    parseTrustAnchors(json);
    return [];
  } catch (error) {
    if (error instanceof TrustAnchorFileError) return error.faults;
    throw error;
  }
}

describe("A trust anchor file", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const anchor = {
    serviceName: "Service",
    from: "2020-01-01T00:00:00Z",
    until: null,
    certificate: issuing.pem,
  };
  const file = (changes: object) => ({
    environment: "production",
    version: 1,
    revision: 7,
    anchors: [{ ...anchor, ...changes }],
  });

  it("yields its environment and its anchors", () => {
    const anchors = parseTrustAnchors(
      anchorFile([issuing], "2020-01-01T00:00:00Z", "2030-01-01T00:00:00.000Z"),
    );
    expect(anchors).to.include({ environment: "sandbox", version: 1, revision: 1 });
    expect(anchors.anchors[0]).to.deep.include({
      serviceName: "Service 0",
      from: new Date("2020-01-01T00:00:00Z"),
      until: new Date("2030-01-01T00:00:00Z"),
    });
    expect(anchors.anchors[0]?.pem).to.match(/^-----BEGIN CERTIFICATE-----\n/);
  });

  it("may be text or parsed JSON", () => {
    expect(parseTrustAnchors(file({})).environment).to.equal("production");
    expect(parseTrustAnchors(JSON.stringify(file({}))).environment).to.equal("production");
  });

  it("may have a root with the serial number zero, as HARICA's are, but no other authority (RFC 5280 4.1.2.2)", () => {
    const zero = { serial: derSmallInteger(0) };
    expect(faultsOf(file({ certificate: issue(authorityPlan("Root", zero)).pem }))).to.be.empty;
    expect(faultsOf(file({ certificate: issue(authorityPlan("X", zero), issuing).pem }))).to.have.length(1);
  });

  it("has all its faults reported at once, each with its place", () => {
    const bad = { serviceName: " ", from: "yesterday", until: 5, certificate: "none", untill: null };
    expect(faultsOf({ environment: "both", version: "1", anchors: [anchor, bad] })).to.deep.equal([
      'environment: must be "sandbox" or "production"',
      "version: must be 1",
      "revision: must be a positive integer",
      "anchors[1].untill: is not a known member",
      "anchors[1].serviceName: must be a non-empty string",
      "anchors[1].from: must be a time such as 2026-01-31T00:00:00Z",
      "anchors[1].until: must be a time such as 2026-01-31T00:00:00Z",
      "anchors[1].certificate: must be one PEM certificate",
    ]);
  });

  it("may begin with the byte order mark that some editors write (RFC 8259 8.1)", () => {
    const text = JSON.stringify({ environment: "sandbox", version: 1, revision: 1, anchors: [anchor] });
    expect(parseTrustAnchors(`\uFEFF${text}`)).to.deep.equal(parseTrustAnchors(text));
  });

  it("has only one fault if it is not a JSON object", () => {
    expect(faultsOf("{")).to.deep.equal(["file: is not JSON"]);
    for (const none of [null, [], "7"]) expect(faultsOf(none)).to.deep.equal(["file: must be an object"]);
  });

  it("must have a list of anchors, each an object with its certificate as text", () => {
    const withAnchors = (anchors: unknown) => faultsOf({ ...file({}), anchors });
    for (const none of [undefined, null, "anchors", { length: 1 }, []])
      expect(withAnchors(none)).to.deep.equal(["anchors: must be a list with at least one anchor"]);
    for (const none of [null, "PEM", 7, [anchor]])
      expect(withAnchors([none])[0]).to.equal("anchors[0]: must be an object");
    expect(faultsOf(file({ certificate: [issuing.pem] }))).to.deep.equal([
      "anchors[0].certificate: must be one PEM certificate",
    ]);
  });

  for (const [what, json] of [
    ["no JSON", "{"],
    ["null", null],
    ["a list", []],
    ["without anchors", { environment: "sandbox", version: 1, revision: 1, anchors: [] }],
    [
      "with an anchor that is no object",
      { environment: "sandbox", version: 1, revision: 1, anchors: ["PEM"] },
    ],
  ] as const) {
    it(`is refused when it is ${what}`, () => {
      expect(faultsOf(json)).to.not.be.empty;
    });
  }

  for (const revision of [undefined, 0, -1, 1.5, "2", 2 ** 53]) {
    it(`is refused with the revision ${JSON.stringify(revision)}`, () => {
      expect(faultsOf({ ...file({}), revision })).to.deep.equal(["revision: must be a positive integer"]);
    });
  }

  for (const [what, changes] of [
    ["no end stated, not even null", { until: undefined }],
    ["a day that does not exist", { from: "2026-02-30T00:00:00Z" }],
    ["a month that does not exist", { from: "2026-13-01T00:00:00Z" }],
    ["a time without a zone", { from: "2026-01-01T00:00:00" }],
    ["an end before its beginning", { until: "2019-01-01T00:00:00Z" }],
    ["an end at its beginning", { until: anchor.from }],
    ["two certificates in one", { certificate: issuing.pem + issuing.pem }],
    [
      "a certificate that cannot be read",
      { certificate: issuing.pem.replace("MII", "MIJ").replace("MIH", "MIJ") },
    ],
    ["a certificate of a TPP", { certificate: issue(qwacPlan(), issuing).pem }],
    [
      "a certificate that may sign others and is no authority",
      { certificate: issue(authorityPlan("X", { extensions: [extension(keyUsage("keyCertSign"))] })).pem },
    ],
    [
      "an authority that may not sign",
      {
        certificate: issue(
          authorityPlan("X", {
            extensions: [extension(basicConstraints(true)), extension(keyUsage("cRLSign"))],
          }),
        ).pem,
      },
    ],
    [
      "an authority with name constraints, critical or not",
      {
        certificate: issue(
          authorityPlan("X", {
            extensions: [
              extension(basicConstraints(true)),
              extension({ ...permittedDnsNames("example"), critical: false }),
            ],
          }),
        ).pem,
      },
    ],
    [
      "an authority with a weak key",
      { certificate: issue(authorityPlan("X", { key: keyOf("rsa-1024") })).pem },
    ],
  ] as const) {
    it(`is refused for an anchor with ${what}`, () => {
      expect(faultsOf(file(changes))).to.have.length(1);
    });
  }
});
