import { expect } from "chai";
import { derSequence } from "../../../packages/sandbox/src/certificates/der.ts";
import { listOfOctets } from "./long-list.ts";
import { authorityOf, crlUrl, revocationWorld, sourcesAt, tppUnder } from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");
const tpp = tppUnder(issuing, sourcesAt([], [crlUrl]));

/** What a list comes to, and what was told of it. */
async function answered(list: Buffer) {
  const world = revocationWorld();
  world.sources.set(crlUrl, () => list);
  return { outcome: await world.call(tpp, "known"), told: JSON.stringify(world.events) };
}

describe("A CRL signed by its authority", () => {
  const [serial, time, reason] = [
    "02024a0b",
    "170d3236303130313030303030305a",
    "300c300a0603551d1504030a0101",
  ];
  const onItsOwn = (...members: readonly string[]) =>
    listOfOctets(issuing, derSequence(...members.map((member) => Buffer.from(member, "hex"))));
  for (const [what, list, told] of [
    ["a serial number without octets", onItsOwn("0200", time), /serial number is empty/],
    ["a negative serial number", onItsOwn("02028a0b", time), /serial number is empty, negative/],
    ["a padded serial number", onItsOwn("0203004a0b", time), /negative or padded/],
    ["a serial number of 21 octets", onItsOwn(`0215${"4a".repeat(21)}`, time), /longer than 20 octets/],
    ["no time", onItsOwn(serial, reason), /a CRL entry is malformed/],
    ["two lists of extensions", onItsOwn(serial, time, reason, reason), /a CRL entry has unexpected fields/],
    [
      "a reason of two octets",
      onItsOwn(serial, time, "300d300b0603551d1504040a020101"),
      /a reason code is malformed/,
    ],
    [
      "octets behind a reason",
      onItsOwn(serial, time, "300e300c0603551d1504050a01010500"),
      /a reason code is malformed/,
    ],
    [
      "a flag of two octets",
      onItsOwn(serial, time, "3010300e0603551d150102000004030a0101"),
      /a CRL entry has a critical extension/,
    ],
    [
      "an extension of more than its parts",
      onItsOwn(serial, time, "300e300c0603551d1504030a01010500"),
      /an extension of a CRL entry has unexpected fields/,
    ],
    [
      "a length beyond its end",
      listOfOctets(issuing, Buffer.from("300402054a0b", "hex")),
      /beyond the one that contains it/,
    ],
  ] as const) {
    it(`is unusable as a whole if an entry has ${what} (RFC 5280 5.1.2.6)`, async () => {
      const { outcome, told: reported } = await answered(list);
      expect(reported).to.match(told);
      expect(outcome).to.equal("unavailable");
    });
  }

  it("may have other extensions in its entries, such as invalidityDate (RFC 5280 5.3.2)", async () => {
    const said = "300a0603551d1504030a0101";
    const invalidityDate = "30180603551d180411180f32303236303130313030303030305a";
    for (const extensions of [`${said}${invalidityDate}`, `${invalidityDate}${said}`]) {
      const { outcome, told } = await answered(onItsOwn(serial, time, `3026${extensions}`));
      expect(outcome).to.equal("certificate_revoked");
      expect(told).to.include("revoked, keyCompromise");
    }
  });

  it("may have serial numbers of 20 octets, with a zero octet before them that makes them positive", async () => {
    const others = [`0215${"00"}${"ff".repeat(20)}`, `0214${"4a".repeat(20)}`];
    const entries = [...others, serial].map((number) =>
      derSequence(Buffer.from(number, "hex"), Buffer.from(time, "hex")),
    );
    const { outcome, told } = await answered(listOfOctets(issuing, Buffer.concat(entries)));
    expect(told).to.include("revoked, no reason given");
    expect(outcome).to.equal("certificate_revoked");
  });

  it("may have times of either form in its entries (RFC 5280 5.1.2.6)", async () => {
    const later = "180f32303236303130313030303030305a";
    for (const list of [onItsOwn(serial, later), onItsOwn(serial, time, reason)])
      expect((await answered(list)).outcome).to.equal("certificate_revoked");
  });
});
