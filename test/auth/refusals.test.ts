import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, JSON_BODY } from "./test-application.ts";

const ENVIRONMENT = { BANK_CALLERS: "resource=introspect,feed;operator=operator" };

describe("Refused certificates at the authorization server", function refusals() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const anchorsFile = join(folder.path, "anchors.json");
  let auth: RunningAuth;
  let second: RunningAuth;
  before(async () => {
    auth = await runAuth(ENVIRONMENT);
    writeFileSync(anchorsFile, readFileSync(auth.certificates.anchorsFile));
    second = await runAuth({ ...ENVIRONMENT, TRUST_ANCHORS_FILE: anchorsFile }, auth);
  });
  after(async () => {
    await second.stop();
    await auth.stop();
    folder.remove();
  });

  const lookUp = (requestId: string, headers: Readonly<Record<string, string>> = {}) =>
    second.callAsBank({ path: `/operator/refusals/${requestId}`, headers }, "operator");
  const refuse = async (certificate: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await auth.call({ certificate, path: APPLICATIONS, headers });
    expect(answer.status, answer.body).to.equal(401);
    const requestId = String(answer.headers["x-request-id"]);
    await eventually(async () => (await lookUp(requestId)).status === 200);
    return requestId;
  };

  it("are counted from 0 by each code, so that the first of a kind counts as growth", async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
    for (const code of ["certificate_revoked", "certificate_blocked", "second_reader_failed"])
      expect(metrics).to.include(`certificate_refusals_total{code="${code}",service="auth"} 0\n`);
  });

  it("are explained under the request id of the answer, on every process, with a remedy", async () => {
    const requestId = await refuse("wrong-qsealc");
    const { refusals } = JSON.parse((await lookUp(requestId)).body);
    expect(refusals).to.have.length(1);
    expect(refusals[0]).to.include({ requestId, callerRequestId: null, code: "qc_type_not_web" });
    expect(refusals[0].report).to.include({ accepted: false, code: "qc_type_not_web" });
    const failed = refusals[0].report.checks.find(({ outcome }: { outcome: string }) => outcome === "failed");
    expect(failed.remedy).to.be.a("string");
  });

  it("are also found by the request id that the caller chose", async () => {
    const named = `tpp-call-${process.pid}`;
    expect(await refuse("wrong-expired", { "x-request-id": named })).to.equal(named);
    const [refusal] = JSON.parse((await lookUp(named)).body).refusals;
    expect(refusal).to.include({ callerRequestId: named, code: "certificate_expired" });
  });

  it("are explained as plain text on request", async () => {
    const requestId = await refuse("wrong-unknown-ca");
    const answer = await lookUp(requestId, { accept: "text/plain" });
    expect(answer.headers["content-type"]).to.equal("text/plain; charset=utf-8");
    expect(answer.body).to.match(/REFUSED with chain_untrusted/);
    expect(answer.body).to.include(requestId);
  });

  it("are explained by the stop list when the certificate itself is good", async () => {
    const organisationIdentifier = auth.tpp("second-tpp").organisationIdentifier;
    const body = JSON.stringify({ tpp: organisationIdentifier, reason: "fraud" });
    const path = "/operator/stop-list";
    await auth.callAsBank({ method: "POST", path, headers: JSON_BODY, body }, "operator");
    const requestId = await refuse("second-tpp");
    const [refusal] = JSON.parse((await lookUp(requestId)).body).refusals;
    expect(refusal.code).to.equal("tpp_blocked");
    expect(refusal.report.accepted).to.equal(true);
    const text = await lookUp(requestId, { accept: "text/plain" });
    expect(text.body).to.include(`tpp_blocked: ${organisationIdentifier} is on the stop list`);
    expect(text.body).to.include("The certificate itself passes every check");
  });

  it("are unknown under any other request id (404)", async () => {
    for (const requestId of ["00000000-0000-0000-0000-000000000000", "%00", "..%2f..", "a".repeat(500)]) {
      const answer = await lookUp(requestId);
      expect(answer.status, requestId).to.equal(404);
      expect(answer.headers["content-type"]).to.equal("application/problem+json");
    }
  });

  it("tell the caller nothing about anchors, issuers or OpenSSL", async () => {
    const answer = await auth.call({ certificate: "wrong-unknown-ca", path: APPLICATIONS });
    expect(answer.body).not.to.match(/anchor|issuer|OpenSSL|UNABLE/);
  });

  it("do not include one whose issuing CA is an anchor without its root, on a kept connection (RFC 5280 6.1.1)", async () => {
    const { revision, anchors } = JSON.parse(readFileSync(auth.certificates.anchorsFile, "utf8"));
    const [issuing] = anchors.filter(({ serviceName }: { serviceName: string }) => !/root/.test(serviceName));
    const alone = join(folder.path, "issuing.json");
    const file = { environment: "sandbox", version: 1, revision, anchors: [issuing] };
    writeFileSync(alone, JSON.stringify(file));
    const third = await runAuth({ ...ENVIRONMENT, TRUST_ANCHORS_FILE: alone }, auth);
    const answer = await third.call({ path: APPLICATIONS, certificate: "aisp" });
    await third.stop();
    expect(answer.status, answer.body).to.equal(200);
    expect(answer.headers.connection).to.equal("keep-alive");
  });

  describe("when the anchor file changes", () => {
    const change = (changed: object) => {
      const file = JSON.parse(readFileSync(auth.certificates.anchorsFile, "utf8"));
      writeFileSync(anchorsFile, JSON.stringify({ ...file, ...changed }));
    };
    const has = (message: string) => () => second.logLines.some(({ msg }) => msg === message);

    it("follow the former anchors if the file is for another environment", async () => {
      change({ environment: "production", revision: 1_000 });
      await eventually(has("the trust anchor file was refused; the former anchors stay in force"));
      expect((await second.call({ path: APPLICATIONS })).status).to.equal(200);
    });

    it("follow a higher revision without a restart, but never a lower one", async () => {
      const { revision, anchors } = JSON.parse(readFileSync(auth.certificates.anchorsFile, "utf8"));
      const ended = anchors.map((anchor: object) => ({
        ...anchor,
        until: "2020-01-02T00:00:00Z",
        from: "2020-01-01T00:00:00Z",
      }));
      change({ revision: revision + 1, anchors: ended });
      await eventually(async () => (await second.call({ path: APPLICATIONS })).status === 401);
      change({ revision });
      await eventually(
        () => second.logLines.filter(({ reason }) => /revision/.test(String(reason))).length > 0,
      );
      expect((await second.call({ path: APPLICATIONS })).status).to.equal(401);
      change({ revision: revision + 2 });
      await eventually(async () => (await second.call({ path: APPLICATIONS })).status === 200);
    });
  });
});
