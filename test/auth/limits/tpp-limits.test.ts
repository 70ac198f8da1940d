import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { RunningAuth } from "../running-auth.ts";
import { APPLICATIONS, FORM_BODY, postForm, register, type TestApplication } from "../test-application.ts";
import { expectFlood, expectLimited, type LimitedAuth, oneTooMany, runLimited } from "./limited-auth.ts";

const REFRESH = { grant_type: "refresh_token", refresh_token: "no-such-token" };
const LIMITS = {
  APPLICATION_CHANGES_PER_MINUTE: "12",
  PUSHED_REQUESTS_PER_MINUTE: "4",
  TOKEN_REQUESTS_PER_MINUTE: "6",
};

describe("Limits of calls from TPPs, over two processes", function tppLimits() {
  this.timeout(120_000);
  let limited: LimitedAuth;
  let auth: RunningAuth;
  let own: readonly TestApplication[];
  let foreign: TestApplication;
  before(async () => {
    limited = await runLimited(LIMITS);
    auth = limited.auth;
    const registered: TestApplication[] = [];
    for (let count = 0; count < 7; count += 1) registered.push(await register(auth));
    own = registered;
    foreign = await register(auth, { scopes: ["aisp"] }, "second-tpp");
    const owners = ["aisp-pisp", "second-tpp"].map((name) => auth.tpp(name).organisationIdentifier);
    expect(owners[0]).not.to.equal(owners[1]);
  });
  after(() => limited.stop());
  beforeEach(() => limited.forget());

  const nth = (index: number): TestApplication => {
    const application = own[index];
    if (application === undefined) throw new Error(`there is no application ${index}`);
    return application;
  };
  const refresh = (at: RunningAuth, application: TestApplication, changed = {}) =>
    postForm(at, "/oauth/token", application, { ...REFRESH, ...changed });
  const remove = (at: RunningAuth, certificate = "aisp-pisp") =>
    at.call({ certificate, method: "DELETE", path: `${APPLICATIONS}/${randomUUID()}` });
  const metricOf = async (limit: string) => {
    const texts = await Promise.all(
      [auth, limited.second].map(async ({ ports }) =>
        (await fetch(`http://127.0.0.1:${ports.operator}/metrics`)).text(),
      ),
    );
    const line = new RegExp(`^rate_limited_total\\{limit="${limit}"[^}]*\\} (\\d+)$`, "m");
    return texts.map((text) => Number(line.exec(text)?.[1] ?? 0)).reduce((sum, each) => sum + each);
  };

  it("answer 429 in the endpoint's shape when a TPP changes applications too often, and count it (RFC 6585 4)", async () => {
    const before = await metricOf("application_changes_tpp");
    const refused = await expectFlood(limited, {
      calls: 50,
      call: (at) => remove(at),
      status: 401,
      perMinute: 12,
    });
    for (const answer of refused) expectLimited(answer);
    expect((await metricOf("application_changes_tpp")) - before).to.equal(refused.length);
  });

  it("do not count reading as changing, not even HEAD (RFC 9110 9.2.1)", async () => {
    const answers = await limited.often(20, (at) => at.call({ method: "HEAD", path: APPLICATIONS }));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect((await remove(auth)).status).to.equal(401);
  });

  it("let a TPP list its applications sixty times a minute at a process, and spare other TPPs", async () => {
    const list = (certificate: string) => auth.call({ certificate, path: APPLICATIONS });
    const answers = await Promise.all(Array.from({ length: 70 }, () => list("second-tpp")));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).to.have.length(10);
    for (const answer of refused) expectLimited(answer);
    expect((await list("aisp-pisp")).status).to.equal(200);
    const path = `${APPLICATIONS}/${foreign.client_id}`;
    expect((await auth.call({ certificate: "second-tpp", path })).status).to.equal(200);
    await limited.wait(expectLimited(await oneTooMany(() => list("second-tpp"))));
    expect((await list("second-tpp")).status).to.equal(200);
  });

  it("close neither the reading of applications nor another TPP's changes (RL-02)", async () => {
    await limited.often(20, (at) => remove(at));
    expect((await auth.call({ path: APPLICATIONS })).status).to.equal(200);
    expect((await remove(limited.second, "second-tpp")).status).to.equal(401);
  });

  it("let an application call the token endpoint only so often, and spare its TPP's others", async () => {
    const call = (at: RunningAuth) => refresh(at, nth(0));
    for (const answer of await expectFlood(limited, { calls: 50, call, status: 400, perMinute: 6 }))
      expectLimited(answer);
    expect((await refresh(limited.second, nth(1))).status).to.equal(400);
  });

  it("let a TPP with many applications call five times as often as one of them", async () => {
    const call = (at: RunningAuth, index: number) => refresh(at, nth(index % 7));
    await expectFlood(limited, { calls: 7 * 6, call, status: 400, perMinute: 30 });
    const limits = [auth, limited.second].flatMap(({ logLines }) => logLines.map(({ limit }) => limit));
    expect(limits).to.include("token_tpp");
    expect((await refresh(auth, foreign)).status).to.equal(400);
  });

  it("tell in Retry-After when the next call succeeds", async () => {
    await limited.often(10, (at) => refresh(at, nth(0)));
    const seconds = expectLimited(await oneTooMany(() => refresh(auth, nth(0))));
    // Ten seconds, and a moment more for a statement that began before the last call was counted; whole ones are told.
    expect(seconds).to.be.within(1, 11);
    await limited.wait(seconds);
    expect((await refresh(limited.second, nth(0))).status).to.equal(400);
  });

  it("leave revocation open to an application that may ask for no more tokens", async () => {
    await limited.often(10, (at) => refresh(at, nth(0)));
    expectLimited(await oneTooMany(() => refresh(auth, nth(0))));
    expect((await postForm(auth, "/oauth/revoke", nth(0), { token: "no-such-token" })).status).to.equal(200);
    const answers = await limited.often(20, (at) => postForm(at, "/oauth/revoke", nth(0), { token: "none" }));
    expect(answers.map(({ status }) => status)).to.include(429);
  });

  it("let few pushed requests be stored for an application that pushes without end (PAR-10)", async () => {
    const request = { response_type: "code", redirect_uri: "https://tpp.example/callback", scope: "aisp" };
    const call = (at: RunningAuth) => postForm(at, "/oauth/par", nth(0), request);
    const refused = await expectFlood(limited, { calls: 50, call, status: 201, perMinute: 4 });
    for (const answer of refused) expectLimited(answer);
    const text = `SELECT count(*)::int4 AS kept FROM ephemeral_record WHERE kind = 'PushedAuthorizationRequest'`;
    expect(await auth.database.run({ name: "kept", text, values: [] })).to.deep.equal([
      { kept: 50 - refused.length },
    ]);
    expect((await postForm(auth, "/oauth/par", foreign, request)).status).to.equal(201);
  });

  it("count a failed authentication as thirty calls, for that application alone (RFC 6749 2.3.1)", async () => {
    const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:`).toString("base64")}` });
    const [header, claims] = [{ alg: "ES256", b64: false }, { sub: nth(2).client_id }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    const attempts = [
      () => refresh(auth, nth(0), { client_secret: "wrong" }),
      () =>
        auth.call({
          method: "POST",
          path: "/oauth/token",
          headers: { ...FORM_BODY, ...basic(nth(1).client_id) },
          body: new URLSearchParams(REFRESH).toString(),
        }),
      () => refresh(auth, nth(2), { client_assertion: `${header}.${claims}.AA` }),
    ];
    for (const [index, attempt] of attempts.entries()) {
      expect((await attempt()).status).to.equal(401);
      const seconds = expectLimited(await oneTooMany(() => refresh(limited.second, nth(index))));
      expect(seconds).to.be.within(200, 300);
    }
    expect((await refresh(limited.second, nth(3))).status).to.equal(400);
  });

  it("charge a TPP that names another's application, and never the owner (RL-02)", async () => {
    const stolen = { ...nth(0), certificate: "second-tpp" };
    const answers = await limited.often(20, (at) => refresh(at, stolen));
    expect(answers.map(({ status }) => status)).to.include(429);
    expectLimited(await oneTooMany(() => refresh(auth, foreign)));
    expect((await refresh(auth, nth(0))).status).to.equal(400);
  });

  it("count a token request without client_id for its TPP", async () => {
    const body = {
      method: "POST",
      path: "/oauth/token",
      headers: FORM_BODY,
      body: "grant_type=refresh_token",
    };
    const call = (at: RunningAuth) => at.call(body);
    await expectFlood(limited, { calls: 50, call, status: 400, perMinute: 30 });
    await limited.often(5, call);
    expectLimited(await oneTooMany(() => refresh(auth, nth(0))));
  });
});
