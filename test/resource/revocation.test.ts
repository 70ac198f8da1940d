import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { eventually } from "../support/eventually.ts";
import { type RevocationServer, startRevocationServer } from "../support/revocation-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { TestCall } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const CACHE_MILLISECONDS = 10_000;
const GRACE_MILLISECONDS = 30_000;
/** After a failure a source is not asked again for so long. */
const PAUSE_MILLISECONDS = 5_000;
const REQUIRED = {
  REVOCATION: "required",
  REVOCATION_PRIVATE_ADDRESSES: "allowed",
  REVOCATION_CACHE_SECONDS: String(CACHE_MILLISECONDS / 1000),
  REVOCATION_GRACE_SECONDS: String(GRACE_MILLISECONDS / 1000),
};

const STATUS: TestCall = { path: "/cobs/2.0/payments/payment-1/status" };
const PAYMENT: TestCall = { method: "POST", path: "/cobs/2.0/my/payments" };
const SIGNING: TestCall = { method: "POST", path: "/cobs/2.0/my/payments/payment-1/sign/sign-1" };
const PAYMENT_DETAIL: TestCall = { path: "/cobs/2.0/my/payments/payment-1" };
const PISP = { scope: "aisp pisp", consented_services: ["aisp", "pisp"] };

describe("revocation at the resource server", () => {
  const folder = temporaryFolder();
  let responder: RevocationServer;
  let certificates: SandboxCertificates;
  let resource: RunningResource;
  let agent: Agent;

  before(async function () {
    this.timeout(120_000);
    responder = await startRevocationServer();
    certificates = await responder.issue(join(folder.path, "certificates"));
  });
  beforeEach(async () => {
    responder.reset();
    resource = await runResource(REQUIRED, certificates);
    responder.now = resource.clock.now;
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    await resource.stop();
  });
  after(async () => {
    await responder.close();
    folder.remove();
  });

  const statusOf = async (call: TestCall) => (await resource.call({ ...call, agent })).status;
  const revoke = (name: string) => responder.revoke(readFileSync(resource.tpp(name).certificateFile, "utf8"));

  it("is checked with the responder that the certificate names, once while the answer is valid", async () => {
    const token = resource.giveToken();
    expect(await statusOf({ token })).to.equal(200);
    expect(await statusOf({ token })).to.equal(200);
    expect(responder.asked.ocsp).to.equal(1);
    expect(await resource.metric('revocation_answers_total{source="ocsp",outcome="good"')).to.equal(1);
    expect(await resource.metric('revocation_decisions_total{decision="good"')).to.equal(2);
  });

  it("ends the use of a certificate on its open connection within the cache time (CRT-19)", async () => {
    const token = resource.giveToken();
    expect(await statusOf({ token })).to.equal(200);
    const [connection] = Object.values(agent.freeSockets).flat();
    revoke("aisp-pisp");
    resource.clock.advance(CACHE_MILLISECONDS);
    const answer = await resource.call({ token, agent });
    expect(answer.status).to.equal(401);
    await eventually(() => resource.lastCall().refusal === "certificate_revoked");
    expect(JSON.parse(answer.body).errors[0]).to.include({ error: "UNAUTHORISED" });
    expect(Object.values(agent.freeSockets).flat()).to.deep.equal([connection]);
    expect(await resource.metric('revocation_decisions_total{decision="revoked"')).to.equal(1);
  });

  it("leaves the trust anchors to their file: after a refused file the former can be put back", async () => {
    const { anchorsFile } = certificates;
    const text = readFileSync(anchorsFile, "utf8");
    const isRefused = async () => (await resource.metric("trust_anchors_file_refused")) === 1;
    expect(await statusOf({ token: resource.giveToken() })).to.equal(200);
    writeFileSync(anchorsFile, "{");
    try {
      await eventually(isRefused);
    } finally {
      writeFileSync(anchorsFile, text);
    }
    await eventually(async () => !(await isRefused()));
    expect(await resource.metric("trust_anchor_refusals_total")).to.equal(1);
  });

  it("is explained to an operator without asking the responder again", async () => {
    revoke("cisp");
    const answer = await resource.call({ certificate: "cisp" });
    const { ocsp } = responder.asked;
    const path = `/operator/refusals/${answer.headers["x-request-id"]}`;
    await eventually(async () => (await resource.askBank(path)).status === 200);
    const [refusal] = JSON.parse((await resource.askBank(path)).body).refusals;
    expect(refusal.report).to.include({ accepted: false, code: "certificate_revoked" });
    expect(responder.asked.ocsp).to.equal(ocsp);
  });

  it("is asked about once for fifty simultaneous calls with a certificate not known yet", async () => {
    const fifty = new Agent({ keepAlive: true });
    const fiftyTimes = (call: TestCall) =>
      Promise.all(Array.from({ length: 50 }, () => resource.call({ ...call, agent: fifty })));
    // Connections first: what takes its time is not what is looked at here.
    await fiftyTimes({ path: "/" });
    let release = () => {};
    responder.hold = new Promise((resolve) => {
      release = resolve;
    });
    const calls = fiftyTimes(STATUS);
    await eventually(() => responder.asked.ocsp > 0);
    release();
    expect(new Set((await calls).map(({ status }) => status))).to.deep.equal(new Set([404]));
    expect(responder.asked.ocsp).to.equal(1);
    fifty.destroy();
  });

  it("is not asked about for an unverified chain: no stranger makes us call anybody", async () => {
    for (const certificate of ["wrong-unknown-ca", "wrong-expired", "wrong-qsealc"])
      expect((await resource.call({ certificate })).status).to.equal(401);
    expect(responder.asked).to.deep.equal({ ocsp: 0, crl: 0 });
  });

  it("is found in the CRL when the responder is silent", async () => {
    responder.silent.add("ocsp");
    revoke("aisp");
    expect(await statusOf({ token: resource.giveToken() })).to.equal(200);
    expect((await resource.call({ certificate: "aisp" })).status).to.equal(401);
    await eventually(() => resource.lastCall().refusal === "certificate_revoked");
    expect(await resource.metric('revocation_answers_total{source="ocsp",outcome="failed"')).to.be.above(0);
    expect(await resource.metric('revocation_answers_total{source="crl",outcome="revoked"')).to.equal(1);
  });

  describe("when both sources are silent", () => {
    let token: string;
    beforeEach(async () => {
      token = resource.giveToken("aisp-pisp", PISP);
      // From the beginning: a list that was on its way when the silence began would arrive in it.
      responder.silent.add("crl");
      expect(await statusOf({ token })).to.equal(200);
      responder.silent.add("ocsp");
      resource.clock.advance(CACHE_MILLISECONDS);
    });

    it("refuses to take a payment with 503, and serves what moves no money during the grace period", async () => {
      expect(await statusOf({ token })).to.equal(200);
      for (const order of [PAYMENT, SIGNING]) {
        const answer = await resource.call({ ...order, token, agent });
        expect(answer.status).to.equal(503);
        expect(Number(answer.headers["retry-after"])).to.be.greaterThan(0);
        expect(JSON.parse(answer.body).errors[0].error).to.equal("NARR");
        expect(answer.body).not.to.match(/ocsp|crl|127\.0\.0\.1|revo/i);
        await eventually(() => resource.lastCall().code === "revocation_unavailable");
        const { detail, organisationIdentifier, thumbprint } = resource.lastCall();
        expect(detail).to.match(/ocsp: .*; crl: /);
        expect(organisationIdentifier).to.match(/^PSDCZ-/);
        expect(thumbprint).to.match(/^[\w-]{43}$/);
      }
      expect(await statusOf({ ...PAYMENT_DETAIL, token })).to.equal(404);
      expect(await resource.metric('revocation_decisions_total{decision="grace"')).to.be.above(0);
      expect(await resource.metric('revocation_decisions_total{decision="unavailable"')).to.be.above(0);
    });

    it("refuses everything with 503 after the grace period, and recovers by itself", async () => {
      expect(await statusOf({ token })).to.equal(200);
      resource.clock.advance(GRACE_MILLISECONDS);
      expect(await statusOf({ token })).to.equal(503);
      responder.silent.clear();
      resource.clock.advance(PAUSE_MILLISECONDS);
      expect(await statusOf({ token })).to.equal(200);
    });

    it("grants no grace period to a certificate that was never known to be good", async () => {
      const answer = await resource.call({ certificate: "aisp", token: resource.giveToken("aisp") });
      expect(answer.status).to.equal(503);
    });
  });
});
