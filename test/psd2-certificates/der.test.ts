import { expect } from "chai";
import { DerFault, membersOf, readDer, tags } from "../../packages/psd2-certificates/src/der/der-element.ts";
import { readDirectoryString, readUtf8String } from "../../packages/psd2-certificates/src/der/der-text.ts";
import {
  readBoolean,
  readNamedBits,
  readOid,
  readPositiveInteger,
  readSmallInteger,
  readTime,
} from "../../packages/psd2-certificates/src/der/der-values.ts";
import { writeElement } from "../../packages/psd2-certificates/src/der/write-der.ts";
import { derOid, derSequence, derUtf8String } from "../../packages/sandbox/src/certificates/der.ts";

const element = (hex: string) => readDer(Buffer.from(hex, "hex"));
const refuses = (act: () => unknown) => expect(act).to.throw(DerFault);

describe("The DER reader (X.690)", () => {
  for (const [what, hex] of [
    ["nothing", ""],
    ["a tag alone", "30"],
    ["an indefinite length", "3080020101" + "0000"],
    ["a length of one octet in two", "30810302" + "0101"],
    ["a length with a leading zero octet", "3082000302" + "0101"],
    ["a length of four octets", "308400000003020101"],
    ["a length of seven octets", "3087000000000000" + "03020101"],
    ["a length beyond the input", "3004020101"],
    ["a length that is cut off", "3082"],
    ["octets that follow", "300302010100"],
    ["a tag of several octets", "3f8101020101"],
    ["a tag of several octets, of a context", "9f0100"],
    ["a text in parts", "2c030c0141"],
    ["a primitive SEQUENCE", "1000"],
    ["the end of an indefinite length", "0000"],
  ] as const) {
    it(`refuses ${what} (8.1, 10.1)`, () => refuses(() => element(hex)));
  }

  it("reads long lengths in the fewest octets", () => {
    for (const [head, length] of [
      ["0481c8", 200],
      ["0483010000", 65_536],
    ] as const)
      expect(
        readDer(Buffer.concat([Buffer.from(head, "hex"), Buffer.alloc(length)])).contents.length,
      ).to.equal(length);
  });

  it("opens one level at a time, however deep the input is", () => {
    let deep = Buffer.from("3000", "hex");
    while (deep.length < 60_000) deep = Buffer.concat([Buffer.from([0x30]), lengthOf(deep.length), deep]);
    expect(membersOf(readDer(deep), tags.sequence)).to.have.length(1);
  });

  it("checks the tag and the number of members of a sequence", () => {
    const two = readDer(Buffer.from(derSequence(derOid("1.2.3"), derUtf8String("x"))));
    expect(membersOf(two, tags.sequence, { min: 2, max: 2 })).to.have.length(2);
    refuses(() => membersOf(two, tags.sequence, { min: 3 }));
    refuses(() => membersOf(two, tags.sequence, { max: 1 }));
    refuses(() => membersOf(two, tags.set));
    refuses(() => membersOf(undefined, tags.sequence));
    refuses(() =>
      membersOf(
        readDer(Buffer.concat([Buffer.from("30820402", "hex"), Buffer.alloc(1026, 0).fill("0500", "hex")])),
        tags.sequence,
      ),
    );
  });

  it("reads object identifiers with arcs of any size (8.19)", () => {
    for (const oid of ["0.4.0.19495.2", "1.3.6.1.5.5.7.1.3", "2.5.4.97", "2.999.1"])
      expect(
        readOid(readDer(Buffer.from(oid === "2.999.1" ? Buffer.from("0603883701", "hex") : derOid(oid)))),
      ).to.equal(oid);
    expect(readOid(element(`0640${"01".repeat(64)}`))).to.match(/^0\.1(?:\.1){63}$/);
    expect(readOid(element("060a" + "69" + "83ffffffffffffff7f"))).to.match(/^2\.25\.\d+$/);
  });

  for (const [what, hex] of [
    ["nothing in it", "0600"],
    ["an arc that does not end", "06022a86"],
    ["an arc that does not end, in an octet of zero bits", "06032a8680"],
    ["a padded arc", "06032a8001"],
    ["a padded first arc", "0602802a"],
    ["65 octets", `0641${"01".repeat(65)}`],
  ] as const) {
    it(`refuses an object identifier with ${what} (8.19.2)`, () => refuses(() => readOid(element(hex))));
  }

  it("reads only 00 and FF as BOOLEAN (11.1)", () => {
    expect([readBoolean(element("0101ff")), readBoolean(element("010100"))]).to.deep.equal([true, false]);
    for (const hex of ["010101", "0100", "0102ffff", "0201ff"]) refuses(() => readBoolean(element(hex)));
  });

  it("reads positive INTEGERs only in the fewest octets (8.3.2)", () => {
    expect(readPositiveInteger(element("020200ff"), 20).toString("hex")).to.equal("ff");
    expect(readPositiveInteger(element("02020080"), 20).toString("hex")).to.equal("80");
    expect(readSmallInteger(element("020100"))).to.equal(0);
    for (const hex of ["0200", "020180", "0202007f", "020100"])
      refuses(() => readPositiveInteger(element(hex), 20));
    refuses(() => readSmallInteger(element("02020100")));
  });

  it("reads up to 64 named bits, and refuses malformed ones (11.2)", () => {
    expect([...readNamedBits(element("03020780"))]).to.deep.equal([0]);
    expect([...readNamedBits(element("03020106"))]).to.deep.equal([5, 6]);
    expect(readNamedBits(element("030100")).size).to.equal(0);
    expect(readNamedBits(element(`030900${"ff".repeat(8)}`)).size).to.equal(64);
    for (const hex of ["0300", "030101", "03020880", "03020800", "030207c0", `030a00${"ff".repeat(9)}`])
      refuses(() => readNamedBits(element(hex)));
  });

  it("reads times in UTC with seconds, and refuses impossible ones (RFC 5280 4.1.2.5)", () => {
    const utc = (text: string) => readTime(readDer(Buffer.from(`\x17\x0d${text}`, "latin1")));
    expect(utc("491231235959Z").toISOString()).to.equal("2049-12-31T23:59:59.000Z");
    expect(utc("500101000000Z").toISOString()).to.equal("1950-01-01T00:00:00.000Z");
    const general = (text: string) => readTime(readDer(Buffer.from(`\x18\x0f${text}`, "latin1")));
    expect(general("20500229000000Z".replace("2050", "2052")).toISOString()).to.equal(
      "2052-02-29T00:00:00.000Z",
    );
    for (const text of ["20500229000000Z", "20501301000000Z", "20500101240000Z", "20500101006000Z"])
      refuses(() => general(text));
  });

  it("reads every type of DirectoryString, and keeps every character", () => {
    expect(readDirectoryString(element("0c05c5bd61c3a9"))).to.equal("Žaé");
    expect(readDirectoryString(element("0c04efbbbf41"))).to.equal("\ufeffA");
    expect(readDirectoryString(element("1e0401" + "7d0061"))).to.equal("Ža");
    expect(readDirectoryString(element("1c080001f3e600000061"))).to.equal("🏦a");
    expect(readDirectoryString(element("1c080010ffff0000e000"))).to.equal("\u{10ffff}\ue000");
    expect(readDirectoryString(element("1402e941"))).to.equal("éA");
  });

  for (const [what, hex] of [
    ["broken UTF-8", "0c02c328"],
    ["overlong UTF-8", "0c02c0af"],
    ["a BMPString of odd length", "1e03004100"],
    ["half a surrogate pair", "1e02d83d"],
    ["a surrogate as UniversalString", "1c040000d83d"],
    ["the first surrogate as UniversalString", "1c040000d800"],
    ["the last surrogate as UniversalString", "1c040000dfff"],
    ["a UniversalString that is cut off", "1c03000041"],
    ["a UniversalString beyond Unicode", "1c0400110000"],
    ["a PrintableString beyond ASCII", "1301e9"],
    ["a PrintableString one beyond ASCII", "130180"],
    ["an IA5String", "160141"],
  ] as const) {
    it(`refuses a text that is ${what}`, () => refuses(() => readDirectoryString(element(hex))));
  }

  it("limits the texts of a PSD2 statement in characters, not octets (ETSI TS 119 495 annex A)", () => {
    const of = (text: string) => readUtf8String(readDer(Buffer.from(derUtf8String(text))));
    expect(of("🏦".repeat(256))).to.have.length(512);
    refuses(() => of("a".repeat(257)));
    refuses(() => of(""));
  });
});

describe("The DER writer (X.690 10.1)", () => {
  for (const length of [0, 1, 0x7f, 0x80, 0xff, 0x100, 0xffff])
    it(`writes ${length} octets so that the reader returns them`, () => {
      const contents = Buffer.alloc(length, 7);
      const { tag, contents: read } = readDer(writeElement(tags.octetString, contents));
      expect([tag, read.equals(contents)]).to.deep.equal([tags.octetString, true]);
    });
});

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
