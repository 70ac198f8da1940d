import { expect } from "chai";
import { orders, twinOf } from "../../support/twin-certificate.ts";
import type { Issued } from "../certificate-builder.ts";
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

const order = orders["P-256"];
const root = authorityOf("Root CA");
const intermediate = authorityOf("Intermediate CA", root, {
  extensions: sourcesAt([], ["http://crl.test/root.crl"]),
});
const leaf = tppUnder(intermediate);
const other = (issued: Issued): Issued => ({ ...issued, der: twinOf(issued.der, order) });

/** Nobody has to be able to sign for these: an elliptic curve's signature has two forms. */
const forms = {
  "the certificate": { tpp: other(leaf), above: intermediate },
  "its authority": { tpp: leaf, above: other(intermediate) },
  "both of them": { tpp: other(leaf), above: other(intermediate) },
};

function worldWithRoot() {
  const world = revocationWorld({ anchors: [root] });
  world.sources.set("http://crl.test/root.crl", () => listOf(root));
  return world;
}

describe("The revocation of a certificate", () => {
  for (const [what, { tpp, above }] of Object.entries(forms)) {
    it(`holds against a replayed older answer, even with the other signature form of ${what}`, async () => {
      const world = worldWithRoot();
      const status = { revokedAt: minutes(-1), reason: "keyCompromise" } as const;
      world.sources.set(ocspUrl, responderOf(intermediate, { answer: { status } }));
      expect(await world.call(leaf, "certain", [intermediate])).to.equal("certificate_revoked");
      const ofLastHour = { thisUpdate: minutes(-60), nextUpdate: minutes(7 * 24 * 60) };
      world.sources.set(ocspUrl, responderOf(intermediate, { answer: ofLastHour }));
      expect(await world.call(tpp, "certain", [above])).to.equal("certificate_revoked");
    });
  }

  it("is taken from the newest list of its authority, in whichever form the authority is shown", async () => {
    const world = worldWithRoot();
    const stranger = tppUnder(intermediate, sourcesAt([], [crlUrl]), { serial: Buffer.from([2, 1, 9]) });
    const revoked = [{ serialNumber: "4a0b", revokedAt: minutes(-1) }];
    world.sources.set(crlUrl, () => listOf(intermediate, { revoked }));
    expect(await world.call(stranger, "certain", [intermediate])).to.equal("accepted");
    world.sources.set(crlUrl, () => listOf(intermediate, { thisUpdate: minutes(-60) }));
    const onList = tppUnder(intermediate, sourcesAt([], [crlUrl]));
    expect(await world.call(onList, "certain", [other(intermediate)])).to.equal("certificate_revoked");
  });
});
