import { expect } from "chai";
import { readDer } from "../../packages/psd2-certificates/src/der/der-element.ts";
import {
  presentName,
  readDistinguishedName,
} from "../../packages/psd2-certificates/src/x509/distinguished-name.ts";
import {
  derElement,
  derOid,
  derSequence,
  derUtf8String,
} from "../../packages/sandbox/src/certificates/der.ts";

/** A name with one attribute in each of its parts. */
const nameOf = (...attributes: readonly (readonly [oid: string, value: Uint8Array])[]) =>
  presentName(
    readDistinguishedName(
      readDer(
        Buffer.from(
          derSequence(...attributes.map(([oid, value]) => derElement(0x31, derSequence(derOid(oid), value)))),
        ),
      ),
    ),
  );

const [country, commonName] = ["2.5.4.6", "2.5.4.3"];

describe("A distinguished name as text (RFC 4514)", () => {
  it("begins with its last part, and shows the OID of an attribute without a short name", () => {
    const parts = [
      [country, derUtf8String("CZ")],
      ["1.2.3.4", derUtf8String("x")],
      [commonName, derUtf8String("Účetní s.r.o.")],
    ] as const;
    expect(nameOf(...parts)).to.equal("CN=Účetní s.r.o.,1.2.3.4=x,C=CZ");
  });

  it("escapes each character that would end a part or begin another (2.4)", () => {
    for (const sign of [`"`, ",", "+", ";", "<", ">", "\\"])
      expect(nameOf([commonName, derUtf8String(`a${sign}O=b`)])).to.equal(`CN=a\\${sign}O=b`);
  });

  it("shows a question mark for each invisible or line-breaking character", () => {
    for (const sign of ["\0", "\n", "\x7f", "\u202e", "\u200b"])
      expect(nameOf([commonName, derUtf8String(`a${sign}b`)])).to.equal("CN=a?b");
  });

  it("shows the octets of a value that is not text", () => {
    expect(nameOf([commonName, derElement(0x02, Buffer.from([7]))])).to.equal("CN=#020107");
  });
});
