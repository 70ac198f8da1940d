import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { pushedFields } from "./profiles/fapi2-application.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, redeem, refresh } from "./use-tokens.ts";

describe("The roles of the certificate that is presented", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  after(() => auth.stop());

  const newCode = async (scope: string) => {
    // The request is made with what the last certificate covers, and redeemed with another one.
    await auth.call({ path: APPLICATIONS });
    return codeFor(auth, application, { request: { scope } });
  };
  const redeemWith = (certificate: string, code: string) =>
    redeem(auth, { ...application, certificate }, code);
  const refreshWith = (certificate: string, refresh_token: string, more?: Readonly<Record<string, string>>) =>
    refresh(auth, { ...application, certificate }, refresh_token, more);
  const scopeOf = (answer: RawAnswer) => {
    expect(answer.status, answer.body).to.equal(200);
    return JSON.parse(answer.body).scope;
  };
  const expectNoScope = (answer: RawAnswer, scope: string) => {
    expect(answer.status, answer.body).to.equal(400);
    expect(JSON.parse(answer.body)).to.include({ error: "invalid_scope", scope });
    expect(JSON.parse(answer.body)).not.to.have.property("access_token");
  };
  const refreshToken = async () =>
    JSON.parse((await redeemWith("aisp-pisp", await newCode("aisp pisp"))).body).refresh_token;

  describe("at the token endpoint (RTS Article 34, RFC 6749 3.3)", () => {
    it("leave scopes that they do not cover out of a refreshed token, and restore them when they do", async () => {
      const token = await refreshToken();
      expect(scopeOf(await refreshWith("aisp", token))).to.equal("aisp");
      expect(scopeOf(await refreshWith("pisp", token))).to.equal("pisp");
      expect(scopeOf(await refreshWith("all-roles-renewed", token))).to.equal("aisp pisp");
    });

    it("leave uncovered scopes out of a code's access token, but not out of its refresh token", async () => {
      const answer = await redeemWith("aisp", await newCode("aisp pisp"));
      expect(scopeOf(answer)).to.equal("aisp");
      const { refresh_token } = JSON.parse(answer.body);
      expect(scopeOf(await refreshWith("aisp-pisp", refresh_token))).to.equal("aisp pisp");
    });

    it("narrow the scopes that a request names (RFC 6749 6)", async () => {
      const token = await refreshToken();
      expect(scopeOf(await refreshWith("aisp", token, { scope: "aisp pisp" }))).to.equal("aisp");
      expect(scopeOf(await refreshWith("aisp-pisp", token, { scope: "pisp" }))).to.equal("pisp");
    });

    it("lead to invalid_scope when they cover no scope, and end nothing (RFC 6749 5.2)", async () => {
      const token = await refreshToken();
      expectNoScope(await refreshWith("cisp", token), "aisp pisp");
      expectNoScope(await refreshWith("aisp", token, { scope: "pisp" }), "pisp");
      expect(auth.logLines.findLast(({ refusal }) => refusal === "invalid_scope")).to.include({
        detail:
          "the roles in the certificate cover none of the scopes (aisp needs PSP_AI, pisp needs PSP_PI)",
      });
      expect(scopeOf(await refreshWith("aisp-pisp", token))).to.equal("aisp pisp");
    });

    it("do not use up a code when they cover none of its scopes (RFC 6749 4.1.2)", async () => {
      const code = await newCode("aisp");
      expectNoScope(await redeemWith("cisp", code), "aisp");
      expectNoScope(await redeemWith("pisp", code), "aisp");
      expect(scopeOf(await redeemWith("aisp", code))).to.equal("aisp");
    });

    it("give each of fifty parallel refreshes what its own certificate covers", async () => {
      const token = await refreshToken();
      const certificates = ["aisp", "pisp", "aisp-pisp", "all-roles", "all-roles-renewed"];
      const expected = ["aisp", "pisp", "aisp pisp", "aisp pisp", "aisp pisp"];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => refreshWith(certificates[index % 5] ?? "", token)),
      );
      expect(answers.map(scopeOf)).to.deep.equal(answers.map((_, index) => expected[index % 5]));
    });
  });

  it("lead to invalid_scope with the refused scopes for a pushed request without a scope (RFC 9126 2.1)", async () => {
    const fields = pushedFields(application, { scope: undefined });
    const answer = await postForm(auth, "/oauth/par", application, fields, "cisp");
    expectNoScope(answer, "aisp pisp");
    expect(JSON.parse(answer.body).error_description).to.include(
      "the roles in the TPP's most recent certificate",
    );
  });

  describe("when an application is replaced (COBS PDF 1.4.1.3)", () => {
    const put = (certificate: string, { client_id }: TestApplication, scopes?: readonly string[]) => {
      const { scopes: _, ...rest } = REGISTRATION;
      return auth.call({
        certificate,
        method: "PUT",
        path: `${APPLICATIONS}/${client_id}`,
        headers: JSON_BODY,
        body: JSON.stringify({ ...rest, ...(scopes && { scopes }) }),
      });
    };
    const scopesOf = (answer: RawAnswer) => {
      expect(answer.status, answer.body).to.equal(200);
      return JSON.parse(answer.body).scopes;
    };

    it("must cover each scope that is named (403 insufficient_scope), or nothing changes", async () => {
      const own = await register(auth);
      for (const scopes of [["pisp"], ["aisp", "pisp"]]) {
        const refused = await put("aisp", own, scopes);
        expect([refused.status, JSON.parse(refused.body).error]).to.deep.equal([403, "insufficient_scope"]);
      }
      const read = await auth.call({ path: `${APPLICATIONS}/${own.client_id}` });
      expect(scopesOf(read)).to.deep.equal(["aisp", "pisp"]);
    });

    it("neither narrow nor widen the scopes of a request that names none", async () => {
      const own = await register(auth);
      for (const certificate of ["aisp", "pisp", "cisp", "all-roles"])
        expect(scopesOf(await put(certificate, own))).to.deep.equal(["aisp", "pisp"]);
      const narrow = await register(auth, { scopes: ["aisp"] });
      expect(scopesOf(await put("all-roles", narrow))).to.deep.equal(["aisp"]);
      expect(scopesOf(await put("all-roles", narrow, ["aisp", "pisp"]))).to.deep.equal(["aisp", "pisp"]);
    });

    it("end no consent of an application when its update names no scopes", async () => {
      const token = await refreshToken();
      expect(scopesOf(await put("aisp", application))).to.deep.equal(["aisp", "pisp"]);
      expect(scopeOf(await refreshWith("aisp-pisp", token))).to.equal("aisp pisp");
    });
  });
});
