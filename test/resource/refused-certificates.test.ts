import { Agent } from "node:https";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("the certificates that the resource server refused", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource({}, undefined, { tunnelled: true });
  });
  after(() => resource.stop());

  const lostOfKnown = () => resource.metric('certificate_refusals_lost_total{issuer="known"');

  async function lookUp(requestId: string, accept?: string): Promise<RawAnswer> {
    let answer: RawAnswer | undefined;
    await eventually(async () => {
      answer = await resource.askBank(`/operator/refusals/${requestId}`, { ...(accept && { accept }) });
      return answer.status === 200;
    });
    if (answer === undefined) throw new TypeError("nothing was answered");
    expect(resource.lastCall(), "who has looked").to.include({ operator: "operator" });
    return answer;
  }

  it("are counted from 0 by each code, so that the first of a kind counts as growth", async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${resource.ports.operator}/metrics`)).text();
    for (const code of ["certificate_revoked", "tpp_blocked", "certificate_blocked"])
      expect(metrics).to.include(`certificate_refusals_total{code="${code}",service="resource"} 0\n`);
  });

  it("are explained to an operator by the request id of the answer", async () => {
    const answer = await resource.call({ certificate: "wrong-qsealc" });
    const requestId = String(answer.headers["x-request-id"]);
    const { refusals } = JSON.parse((await lookUp(requestId)).body);
    expect(refusals).to.have.length(1);
    const [refusal] = refusals;
    expect(refusal).to.include({ requestId, code: resource.tpp("wrong-qsealc").expectedRefusal });
    expect(refusal.report).to.include({ accepted: false, code: refusal.code });
    expect(refusal.report.facts.thumbprint).to.equal(resource.tpp("wrong-qsealc").thumbprint);
    expect(refusal.report.at).to.equal(refusal.at);
  });

  it("are also found by the TPP's own request id, and explained as text on request", async () => {
    const headers = { "x-request-id": "tpp-call:1" };
    await resource.call({ certificate: "wrong-expired", headers });
    const requestId = String(resource.lastCall().requestId);
    const answer = await lookUp("tpp-call:1", "text/plain");
    expect(answer.headers["content-type"]).to.match(/^text\/plain/);
    expect(answer.body).to.include(requestId).and.to.include("REFUSED with certificate_expired");
  });

  it("are explained as judged at the time, by every process, also after the refusing one has ended", async () => {
    const other = await runResource();
    const answer = await other.call({ certificate: "wrong-unknown-ca" }).finally(() => other.stop());
    const requestId = String(answer.headers["x-request-id"]);
    const again = await runResource({ DATABASE_URL: other.config.databaseUrl.reveal() });
    try {
      const found = await again.askBank(`/operator/refusals/${requestId}`);
      expect(JSON.parse(found.body).refusals[0]).to.include({ code: "chain_untrusted" });
    } finally {
      await again.stop();
    }
  });

  it("include good certificates of blocked TPPs", async () => {
    const { organisationIdentifier } = resource.tpp("second-tpp");
    resource.auth.block(organisationIdentifier);
    let answer: RawAnswer | undefined;
    await eventually(async () => {
      answer = await resource.call({ certificate: "second-tpp" });
      return resource.lastCall().refusal === "tpp_blocked";
    });
    const found = await lookUp(String(answer?.headers["x-request-id"]));
    const [refusal] = JSON.parse(found.body).refusals;
    expect(refusal).to.include({ code: "tpp_blocked" });
    expect(refusal.report.accepted).to.equal(true);
    resource.auth.release(organisationIdentifier);
  });

  it("are counted by code; a call without a certificate is counted but cannot be looked up", async () => {
    const absent = 'certificate_refusals_total{code="certificate_absent"';
    const before = await resource.metric(absent);
    const answer = await resource.call({ certificate: null });
    expect(await resource.metric(absent)).to.equal(before + 1);
    const good = await resource.call({ token: resource.giveToken() });
    expect(good.status).to.equal(200);
    for (const { headers } of [answer, good]) {
      const found = await resource.askBank(`/operator/refusals/${headers["x-request-id"]}`);
      expect(found.status).to.equal(404);
    }
  });

  it("are shown to operators only", async () => {
    const caller = resource.certificates.bank.auth;
    const answer = await resource.askBank("/operator/refusals/tpp-call:1", { caller });
    expect(answer.status).to.equal(403);
    expect(answer.headers["content-type"]).to.match(/^application\/problem\+json/);
  });

  it("get 404 as problem details under an unknown or malformed request id (RFC 9457)", async () => {
    for (const id of ["unknown", "%00", "a%20b", "x".repeat(61), "'"]) {
      const answer = await resource.askBank(`/operator/refusals/${id}`);
      expect(answer.status, id).to.equal(404);
      expect(answer.headers["content-type"]).to.match(/^application\/problem\+json/);
      expect(JSON.parse(answer.body)).to.include({ status: 404 });
    }
  });

  it("in a flood of 200 hold up no other call, and are not all kept", async () => {
    const token = resource.giveToken();
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    // OpenSSL does not object to it, so that its connections go on and the flood is fast.
    const stranger = { certificate: "wrong-qsealc", agent };
    const flood = Array.from({ length: 200 }, () => resource.call(stranger));
    const served = await resource.call({ token });
    expect(served.status).to.equal(200);
    expect((await Promise.all(flood)).every(({ status }) => status === 401)).to.equal(true);
    agent.destroy();
    await eventually(async () => (await lostOfKnown()) > 0);
  });

  it("are refused without delay while the database is down", async () => {
    const lost = await lostOfKnown();
    await resource.database.cut();
    try {
      const waited = startWaiting();
      expect((await resource.call({ certificate: "wrong-expired" })).status).to.equal(401);
      expect(waited()).to.be.below(1_000);
      await eventually(async () => (await lostOfKnown()) > lost);
    } finally {
      await resource.database.mend();
    }
    const later = await resource.call({ certificate: "wrong-expired" });
    await lookUp(String(later.headers["x-request-id"]));
  });
});
