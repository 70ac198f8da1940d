import * as asn1js from "asn1js";
import { expect } from "chai";
import {
  encodeQcStatements,
  pspRoleOids,
  pspRoles,
} from "../../../packages/sandbox/src/certificates/qc-statements.ts";

const authority = { id: "CZ-CNB", name: "Czech National Bank" };

/** The tree of an encoding: lists for sequences, text for object identifiers and strings. */
function treeOf(element: unknown): unknown {
  if (element instanceof asn1js.Sequence) return element.valueBlock.value.map(treeOf);
  if (element instanceof asn1js.ObjectIdentifier) return element.valueBlock.toString();
  if (element instanceof asn1js.Utf8String) return element.valueBlock.value;
  throw new Error("an element that a QCStatement of the sandbox does not have");
}

const treeOfBytes = (bytes: Uint8Array) => treeOf(asn1js.fromBER(bytes).result);

describe("Encoder of QCStatements", () => {
  it("writes each RoleOfPSP as a sequence of its own with two members (ETSI TS 119 495 5.1)", () => {
    const tree = treeOfBytes(encodeQcStatements("web", { roles: pspRoles, authority }));
    expect(tree).to.deep.equal([
      ["0.4.0.1862.1.1"],
      ["0.4.0.1862.1.6", ["0.4.0.1862.1.6.3"]],
      [
        "0.4.0.19495.2",
        [
          [
            ["0.4.0.19495.1.1", "PSP_AS"],
            ["0.4.0.19495.1.2", "PSP_PI"],
            ["0.4.0.19495.1.3", "PSP_AI"],
            ["0.4.0.19495.1.4", "PSP_IC"],
          ],
          "Czech National Bank",
          "CZ-CNB",
        ],
      ],
    ]);
  });

  it("leaves the PSD2 statement out when there is none", () => {
    expect(treeOfBytes(encodeQcStatements("web"))).to.have.length(2);
  });

  for (const [qcType, oid] of [
    ["esign", "0.4.0.1862.1.6.1"],
    ["eseal", "0.4.0.1862.1.6.2"],
    ["web", "0.4.0.1862.1.6.3"],
  ] as const) {
    it(`names the type ${qcType} by its object identifier (EN 319 412-5 4.2.3)`, () => {
      expect(treeOfBytes(encodeQcStatements(qcType))).to.deep.include(["0.4.0.1862.1.6", [oid]]);
    });
  }

  it("has one object identifier per role", () => {
    expect(new Set(Object.values(pspRoleOids)).size).to.equal(pspRoles.length);
  });
});
