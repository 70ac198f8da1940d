import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { type RevocationServer, startRevocationServer } from "../support/revocation-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { TestCall } from "./auth-calls.ts";
import { pushedFields } from "./profiles/fapi2-application.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  postForm,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, redeem, refresh, tokensFor } from "./use-tokens.ts";

const CACHE_MILLISECONDS = 2_000;
const GRACE_MILLISECONDS = 30_000;
/** After a failure a source is not asked again for so long. */
const PAUSE_MILLISECONDS = 5_000;
const REQUIRED = {
  REVOCATION: "required",
  REVOCATION_PRIVATE_ADDRESSES: "allowed",
  REVOCATION_CACHE_SECONDS: String(CACHE_MILLISECONDS / 1000),
  REVOCATION_GRACE_SECONDS: String(GRACE_MILLISECONDS / 1000),
};

describe("The authorization server with revocation checks", function revocation() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let responder: RevocationServer;
  let auth: RunningAuth;
  let application: TestApplication;
  let agent: Agent;
  before(async () => {
    responder = await startRevocationServer();
    const certificates = await responder.issue(join(folder.path, "certificates"));
    auth = await runAuth(REQUIRED, undefined, { certificates });
    responder.now = auth.clock.now;
    application = await register(auth);
  });
  beforeEach(() => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(() => {
    agent.destroy();
    responder.silent.clear();
    auth.clock.advance(CACHE_MILLISECONDS + GRACE_MILLISECONDS);
  });
  after(async () => {
    await auth.stop();
    await responder.close();
    folder.remove();
  });

  const list = (call: Partial<TestCall> = {}) => auth.call({ path: APPLICATIONS, agent, ...call });
  const revoke = (name: string) => responder.revoke(readFileSync(auth.tpp(name).certificateFile, "utf8"));
  const fallSilent = () => {
    responder.silent.add("ocsp");
    auth.clock.advance(CACHE_MILLISECONDS);
  };
  const expectTryAgain = async (answer: RawAnswer) => {
    expect(answer.status, answer.body).to.equal(503);
    expect(Number(answer.headers["retry-after"])).to.be.greaterThan(0);
    expect(JSON.parse(answer.body)).to.deep.equal({
      error: "server_error",
      error_description: "try again in a moment",
    });
    await eventually(async () => auth.lastCall().refusal === "revocation_unavailable");
    const { detail, tpp, thumbprint } = auth.lastCall();
    expect(detail).to.match(/ocsp: .*; crl: /);
    // Whom it concerns is all that an operator can act on.
    expect(tpp).to.match(/^PSDCZ-/);
    expect(thumbprint).to.match(/^[\w-]{43}$/);
  };

  it("refuses a certificate that is revoked while its connection is open, within the cache time", async () => {
    expect((await list({ certificate: "second-tpp" })).status).to.equal(200);
    const [connection] = Object.values(agent.freeSockets).flat();
    revoke("second-tpp");
    auth.clock.advance(CACHE_MILLISECONDS);
    const answer = await list({ certificate: "second-tpp" });
    expect(answer.status).to.equal(401);
    expect(JSON.parse(answer.body).error).to.equal("access_denied");
    await eventually(async () => auth.lastCall().refusal === "certificate_revoked");
    expect(connection).not.to.equal(undefined);
    expect(Object.values(agent.freeSockets).flat()).to.deep.equal([connection]);
  });

  it("refuses a revoked certificate at the token endpoint as invalid_client (RFC 6749 5.2)", async () => {
    const own = await register(auth, {}, "all-roles");
    revoke("all-roles");
    auth.clock.advance(CACHE_MILLISECONDS);
    const answer = await refresh(auth, own, "any");
    expect(answer.status, answer.body).to.equal(401);
    expect(JSON.parse(answer.body).error).to.equal("invalid_client");
  });

  describe("when both sources are silent", () => {
    // From the beginning: a list that was on its way when the silence began would arrive in it.
    beforeEach(() => responder.silent.add("crl"));

    it("answers 503 to registration, changes and new secrets, but lists applications in the grace period", async () => {
      expect((await list()).status).to.equal(200);
      fallSilent();
      await expectTryAgain(await postRegistration(auth, REGISTRATION));
      const own = `${APPLICATIONS}/${application.client_id}`;
      const body = { headers: { "content-type": "application/json" }, body: JSON.stringify(REGISTRATION) };
      await expectTryAgain(await auth.call({ method: "PUT", path: own, ...body }));
      await expectTryAgain(await auth.call({ method: "POST", path: `${own}/renewSecret` }));
      expect((await list()).status).to.equal(200);
      expect((await list({ path: own })).status).to.equal(200);
    });

    it("answers 503 to a code, which stays valid, but refreshes tokens in the grace period", async () => {
      const tokens = await tokensFor(auth, application, { username: "jana" });
      const code = await codeFor(auth, application, { username: "petr" });
      expect((await list()).status).to.equal(200);
      fallSilent();
      await expectTryAgain(await redeem(auth, application, code));
      const refreshed = await refresh(auth, application, tokens.refresh_token);
      expect(refreshed.status, refreshed.body).to.equal(200);
      responder.silent.clear();
      auth.clock.advance(PAUSE_MILLISECONDS);
      const exchanged = await redeem(auth, application, code);
      expect(exchanged.status, exchanged.body).to.equal(200);
    });

    it("answers 503 to a pushed request in the grace period", async () => {
      expect((await list()).status).to.equal(200);
      fallSilent();
      await expectTryAgain(await postForm(auth, "/oauth/par", application, pushedFields(application)));
      expect((await list()).status).to.equal(200);
    });

    it("answers 503 to everything after the grace period", async () => {
      expect((await list()).status).to.equal(200);
      fallSilent();
      auth.clock.advance(GRACE_MILLISECONDS);
      await expectTryAgain(await list());
      await expectTryAgain(await refresh(auth, application, "any"));
    });
  });
});
