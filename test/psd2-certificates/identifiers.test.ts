import {
  authorityOf,
  parseCertificateThumbprint,
  parseOrganisationIdentifier,
  thumbprintOf,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import { refusalOf } from "./refusal-of.ts";

describe("An organisation identifier (ETSI TS 119 495 GEN-5.2.1-3)", () => {
  it("is split at its second hyphen only", () => {
    expect(authorityOf(parseOrganisationIdentifier("PSDFI-FINFSA-2858394-9"))).to.equal("FI-FINFSA");
    expect(authorityOf(parseOrganisationIdentifier("PSDCZ-CNB--"))).to.equal("CZ-CNB");
  });

  it("is kept exactly as given", () => {
    for (const text of [
      "PSDCZ-CNB-00012345",
      "PSDCZ-ABCDEFGH-1",
      "PSDCZ-CNB-a b",
      "PSDGB-FCA-1-2-3",
      "PSDCZ-CNB-Ž",
    ])
      expect(parseOrganisationIdentifier(text)).to.equal(text);
  });

  it("has at most 256 characters", () => {
    const of = (length: number) => "PSDCZ-CNB-".padEnd(length, "1");
    expect(parseOrganisationIdentifier(of(256))).to.have.length(256);
    expect(refusalOf(() => parseOrganisationIdentifier(of(257)))).to.equal(
      "organisation_identifier_malformed",
    );
  });

  it("must be text of the prescribed form", () => {
    for (const value of [
      undefined,
      null,
      5,
      {},
      "",
      "PSD",
      "PSDC-CNB-1",
      "PSDCZE-CNB-1",
      "PSDCZ-C-1",
      "PSDCZ-ABCDEFGHI-1",
      "PSDCZ-CNB- 1",
      "xPSDCZ-CNB-1",
      "PSDCZ-CNB-\ud800x",
      "PSDCZ-CNB-1\udfff",
    ])
      expect(refusalOf(() => parseOrganisationIdentifier(value))).to.equal(
        "organisation_identifier_malformed",
      );
  });

  it("of another scheme is distinguished from a malformed one (ETSI EN 319 412-1 5.1.4)", () => {
    const codeOf = (text: string) => refusalOf(() => parseOrganisationIdentifier(text));
    for (const other of ["VATCZ-12345678", "NTRDE+NW-HRB 1", "NTRDE+N-1", "NTRUS+ABC-1", "CZ:AB-1"])
      expect(codeOf(other), other).to.equal("organisation_identifier_unsupported");
    const schemes = ["VACZ-1", "VATC-1", "VATSCZ-1", "VATCZE-1", "vatcz-1", "xVATCZ-1"];
    const states = ["NTRDE+-1", "NTRDE+ABCD-1", "NTRDE+nw-1"];
    const national = ["C:AB-1", "CZE:AB-1", "CZ:A-1", "CZ:ABC-1"];
    for (const none of [...schemes, ...states, ...national, "VATCZ-", "VATCZ1", "VATCZ-1\n"])
      expect(codeOf(none), none).to.equal("organisation_identifier_malformed");
  });

  it("has no invisible character or unusual space, which would make two identities look the same", () => {
    const blanks = ["\u2800", "\u{13441}", "\u{16fe4}", "\u{1d159}", "\ufffc"];
    for (const unseen of ["\u200b", "\u00ad", "\ufe0f", "\u034f", "\u3164", "\u{e0001}", "\u2028", ...blanks])
      expect(
        refusalOf(() => parseOrganisationIdentifier(`PSDCZ-CNB-12${unseen}34`)),
        JSON.stringify(unseen),
      ).to.equal("organisation_identifier_malformed");
    for (const space of ["\u00a0", "\u2003", "\u3000", "\t"])
      expect(
        refusalOf(() => parseOrganisationIdentifier(`PSDCZ-CNB-12${space}34`)),
        JSON.stringify(space),
      ).to.equal("organisation_identifier_malformed");
  });

  it("is refused quickly however long it is", () => {
    expect(refusalOf(() => parseOrganisationIdentifier(`PSDCZ-CNB-${" ".repeat(100_000)}`))).to.equal(
      "organisation_identifier_malformed",
    );
  });
});

describe("A thumbprint (RFC 8705 3.1)", () => {
  it("is the SHA-256 of the DER in base64url without padding", () => {
    expect(thumbprintOf(Buffer.from("abc"))).to.equal("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  });

  it("is parsed only in its one spelling", () => {
    const right = thumbprintOf(Buffer.from("abc"));
    expect(parseCertificateThumbprint(right)).to.equal(right);
    for (const wrong of [
      `${right}=`,
      right.slice(1),
      `${right.slice(0, -1)}1`,
      `${right.slice(0, -1)}a`,
      `A${right}`,
      `${right}A`,
      right.replace("_", "/"),
      undefined,
      5,
    ])
      expect(parseCertificateThumbprint(wrong)).to.equal(undefined);
  });
});
