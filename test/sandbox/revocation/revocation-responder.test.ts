import { expect } from "chai";
import {
  openRevocationResponder,
  type RevocationResponder,
} from "../../../packages/sandbox/src/revocation/revocation-responder.ts";

describe("Revocation responder of the sandbox", () => {
  let responder: RevocationResponder;
  before(async () => {
    const revoked = { list: async () => [] };
    responder = await openRevocationResponder({ authorities: async () => new Map(), revoked, port: 0 });
  });
  after(() => responder.stop());

  const get = (path: string) => fetch(`http://127.0.0.1:${responder.port}${path}`);

  for (const request of ["%zz", "bm90IGEgcmVxdWVzdA==", ""]) {
    it(`rejects "${request}" as no request (RFC 6960 4.2.1, malformedRequest)`, async () => {
      const answer = await get(`/ocsp/${request}`);
      expect(answer.headers.get("content-type")).to.equal("application/ocsp-response");
      expect(Buffer.from(await answer.arrayBuffer()).toString("hex")).to.equal("30030a0101");
    });
  }

  it("reports once why it cannot answer, and again for another reason", async () => {
    const told: string[] = [];
    let reason = "revoked.json: must be JSON";
    const spoilt = await openRevocationResponder({
      authorities: async () => new Map(),
      revoked: { list: () => Promise.reject(new TypeError(reason)) },
      port: 0,
      tell: (line) => told.push(line),
    });
    const status = async () => (await fetch(`http://127.0.0.1:${spoilt.port}/crl/root.crl`)).status;
    expect([await status(), await status()]).to.deep.equal([500, 500]);
    reason = "revoked.json: must be a list";
    expect(await status()).to.equal(500);
    await spoilt.stop();
    const start = "the revocation responder cannot answer: revoked.json: must be";
    expect(told).to.deep.equal([`${start} JSON`, `${start} a list`]);
  });

  it("has no CRL for a name that cannot be decoded", async () => {
    expect((await get("/crl/%zz.crl")).status).to.equal(404);
  });
});
