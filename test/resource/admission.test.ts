import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { isCertificateRefusalCode, thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import { RESOURCE_SERVER } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const BALANCE_CHECK = { method: "POST", path: "/cobs/2.0/accounts/balanceCheck" };
const PAYMENTS = {
  method: "POST",
  path: "/cobs/2.0/my/payments",
  headers: { "content-type": "application/json", "content-length": "2" },
  body: "{}",
};
const STATUS = { path: "/cobs/2.0/payments/payment-1/status" };
const CHALLENGE = 'Bearer realm="cobs"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

describe("admission at the resource server", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource();
  });
  after(() => resource.stop());

  function expectRefusal(answer: RawAnswer, status: 401 | 403, code: string): void {
    expect(answer.status).to.equal(status);
    const { errors } = JSON.parse(answer.body);
    expect(errors).to.have.length(1);
    const { error, scope, parameters } = errors[0];
    // A certificate's holder is told its code; of a token nothing is told.
    const told = isCertificateRefusalCode(code) ? { CERTIFICATE: code } : null;
    expect({ error, scope, parameters }).to.deep.equal({
      error: status === 401 ? "UNAUTHORISED" : "FORBIDDEN",
      scope: null,
      parameters: told,
    });
    expect(resource.lastCall()).to.include({ status, refusal: code });
  }

  describe("the certificate (RTS Article 34, COBS 1.2.10)", () => {
    const REFUSED = [
      "wrong-expired",
      "wrong-not-yet-valid",
      "wrong-unknown-ca",
      "wrong-no-psd2-statement",
      "wrong-qsealc",
      "wrong-no-client-purpose",
      "wrong-psp-as-only",
      "wrong-mismatching-authority",
    ];

    it("is required beside a good token, with a challenge that names no error (RFC 6750 section 3.1)", async () => {
      const answer = await resource.call({ certificate: null, token: resource.giveToken() });
      expectRefusal(answer, 401, "certificate_absent");
      expect(answer.headers["www-authenticate"]).to.equal(CHALLENGE);
    });

    it("is logged in both of its forms, so that the calls of a stolen one are found whichever is used", async () => {
      const { raw } = new X509Certificate(readFileSync(resource.tpp("aisp-pisp").certificateFile));
      const forms = {
        thumbprint: thumbprintOf(raw),
        twinThumbprint: thumbprintOf(twinOf(raw, orders["P-256"])),
      };
      expect((await resource.call({ token: resource.giveToken() })).status).to.equal(200);
      expect(resource.lastCall()).to.include(forms);
      expect((await resource.call(STATUS)).status).to.equal(404);
      expect(resource.lastCall()).to.include(forms);
      expect((await resource.call({})).status).to.equal(401);
      expect(resource.lastCall()).to.include({ refusal: "token_absent", ...forms });
    });

    it("keeps the connection open when TLS accepts it, and closes it after the answer when not", async () => {
      const right = await resource.call({ token: resource.giveToken() });
      expect([right.status, right.headers.connection]).to.deep.equal([200, "keep-alive"]);
      const unknown = await resource.call({ certificate: "wrong-unknown-ca" });
      expect([unknown.status, unknown.headers.connection]).to.deep.equal([401, "close"]);
    });

    it("is demanded by an answer in the standard's format, not by a TLS alert", async () => {
      const answer = await resource.call({ certificate: null });
      expectRefusal(answer, 401, "certificate_absent");
      expect(answer.headers["www-authenticate"]).to.equal(CHALLENGE);
      expect(answer.headers["content-type"]).to.match(/^application\/json/);
    });

    for (const name of REFUSED) {
      it(`is refused as ${name} with its expected code, before any token is looked at`, async () => {
        const { expectedRefusal, thumbprint, organisationIdentifier } = resource.tpp(name);
        const asked = resource.auth.asked.length;
        const answer = await resource.call({ certificate: name, token: resource.giveToken() });
        expectRefusal(answer, 401, String(expectedRefusal));
        expect(answer.headers["www-authenticate"]).to.equal(CHALLENGE);
        expect(resource.lastCall()).to.include({ thumbprint });
        expect(answer.body).not.to.include(organisationIdentifier);
        expect(resource.auth.asked).to.have.length(asked);
      });
    }

    it("is tried in every wrong form that the sandbox has", () => {
      const wrong = resource.certificates.tpp.filter((tpp) => tpp.wrong !== null).map((tpp) => tpp.name);
      expect(wrong).to.have.members(REFUSED);
    });

    it("is checked again on each call of a connection, and refused once expired (CRT-19)", async () => {
      const aged = await runResource();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        const token = aged.giveToken();
        expect((await aged.call({ token, agent })).status).to.equal(200);
        aged.clock.advance(731 * 86_400_000);
        expect((await aged.call({ token, agent })).status).to.equal(401);
        expect(aged.lastCall()).to.include({ refusal: "certificate_expired" });
        expect(Object.values(agent.freeSockets).flat()).to.have.length(1);
      } finally {
        agent.destroy();
        await aged.stop();
      }
    });
  });

  describe("the role of the certificate (COBS 1.3.1)", () => {
    const ROWS = [
      { certificate: "aisp", accounts: 200, payments: 403, balanceCheck: 403 },
      { certificate: "pisp", accounts: 403, payments: 400, balanceCheck: 403 },
      { certificate: "aisp-pisp", accounts: 200, payments: 400, balanceCheck: 403 },
      { certificate: "cisp", accounts: 403, payments: 403, balanceCheck: 400 },
      { certificate: "all-roles", accounts: 200, payments: 400, balanceCheck: 400 },
      { certificate: "all-roles-renewed", accounts: 200, payments: 400, balanceCheck: 400 },
      { certificate: "second-tpp", accounts: 200, payments: 400, balanceCheck: 400 },
    ];

    for (const { certificate, accounts, payments, balanceCheck } of ROWS) {
      it(`lets ${certificate} call what it is licensed for and nothing else`, async () => {
        const token = resource.giveToken(certificate, {
          scope: "aisp pisp",
          consented_services: ["aisp", "pisp"],
        });
        const statuses = [
          (await resource.call({ certificate, token })).status,
          (await resource.call({ certificate, token, ...PAYMENTS })).status,
          (await resource.call({ certificate, ...BALANCE_CHECK })).status,
        ];
        expect(statuses).to.deep.equal([accounts, payments, balanceCheck]);
      });
    }

    it("is tried with every right certificate of the sandbox", () => {
      const right = resource.certificates.tpp.filter((tpp) => tpp.wrong === null).map((tpp) => tpp.name);
      expect(right).to.have.members(ROWS.map((row) => row.certificate));
    });

    it("is named in the refusal when it is missing, and logged with the TPP", async () => {
      const answer = await resource.call({ certificate: "pisp", token: resource.giveToken("pisp") });
      expectRefusal(answer, 403, "role_missing");
      expect(answer.body).to.include("PSP_AI");
      expect(answer.headers["www-authenticate"]).to.equal(CHALLENGE);
      const { organisationIdentifier, thumbprint } = resource.tpp("pisp");
      expect(resource.lastCall()).to.include({ organisationIdentifier, thumbprint, role: "PSP_AI" });
    });

    it("is checked before a missing token is asked for", async () => {
      expectRefusal(await resource.call({ certificate: "pisp" }), 403, "role_missing");
    });
  });

  describe("the token (RFC 6750)", () => {
    it("is demanded without an error code when none was sent (RFC 6750 section 3.1)", async () => {
      const answer = await resource.call({});
      expectRefusal(answer, 401, "token_absent");
      expect(answer.headers["www-authenticate"]).to.equal(CHALLENGE);
    });

    it("is not read from another authentication scheme", async () => {
      const answer = await resource.call({ headers: { authorization: "Basic dTpw" } });
      expectRefusal(answer, 401, "token_absent");
    });

    it("is accepted with its scheme in any letter case (RFC 9110 section 11.1)", async () => {
      const token = resource.giveToken();
      for (const scheme of ["bearer", "BEARER", "bEaReR"]) {
        expect((await resource.call({ headers: { authorization: `${scheme} ${token}` } })).status).to.equal(
          200,
        );
      }
    });

    it("is accepted after any number of spaces (RFC 6750 2.1)", async () => {
      const authorization = `Bearer   ${resource.giveToken()}`;
      expect((await resource.call({ headers: { authorization } })).status).to.equal(200);
    });

    it("may have 1,017 bytes, with which the header has 1,024 (A-31)", async () => {
      const authorization = `Bearer ${"x".repeat(1_017)}`;
      expectRefusal(await resource.call({ headers: { authorization } }), 401, "token_inactive");
    });

    const MALFORMED = {
      "without a value": "Bearer",
      "with an empty value": "Bearer ",
      "with two values": "Bearer one two",
      "with a comma": "Bearer one,two",
      "with quotes": 'Bearer "one"',
      "with letters beyond ASCII": "Bearer žluť"
        .normalize("NFC")
        .replaceAll("ž", "\u00ff")
        .replaceAll("ť", "\u00fe"),
      "longer than 1,017 bytes": `Bearer ${"x".repeat(1018)}`,
    };
    for (const [what, authorization] of Object.entries(MALFORMED)) {
      it(`is refused ${what}, without asking auth`, async () => {
        const asked = resource.auth.asked.length;
        const answer = await resource.call({ headers: { authorization } });
        expectRefusal(answer, 401, "token_malformed");
        expect(answer.headers["www-authenticate"]).to.equal(INVALID_TOKEN);
        expect(resource.auth.asked).to.have.length(asked);
      });
    }

    it("is refused in the query, and never appears in the log (FAPI 2.0 5.3.4)", async () => {
      const token = resource.giveToken();
      const answer = await resource.call({ path: `/cobs/2.0/my/accounts?access_token=${token}` });
      expectRefusal(answer, 401, "token_in_query");
      expect(answer.headers["www-authenticate"]).to.equal(INVALID_TOKEN);
      expect(JSON.stringify(resource.logLines)).not.to.include(token);
    });

    it("is refused when sent twice (RFC 6750 section 2)", async () => {
      const token = resource.giveToken();
      const twice = await resource.call({
        headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
      });
      expectRefusal(twice, 401, "token_repeated");
      const both = await resource.call({ token, path: `/cobs/2.0/my/accounts?access_token=${token}` });
      expectRefusal(both, 401, "token_repeated");
    });

    it("is not read from a form body", async () => {
      const token = resource.giveToken("aisp-pisp", { scope: "pisp", consented_services: ["pisp"] });
      const answer = await resource.call({
        ...PAYMENTS,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `access_token=${token}`,
      });
      expectRefusal(answer, 401, "token_absent");
    });

    const UNUSABLE: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
      ["that has ended", "token_inactive", { active: false }],
      ["whose active member is a text", "token_inactive", { active: "true" }],
      ["of another resource server", "token_wrong_audience", { aud: "https://other.example" }],
      ["for no resource server", "token_wrong_audience", { aud: undefined }],
      ["whose audience only starts like ours", "token_wrong_audience", { aud: `${RESOURCE_SERVER}/` }],
      ["that is a refresh token", "token_inactive", { token_type: undefined }],
      ["that is bound to no certificate", "token_not_bound", { cnf: undefined }],
      ["whose binding is not a thumbprint", "token_not_bound", { cnf: { "x5t#S256": "short" } }],
      ["past its end by our clock", "token_inactive", { exp: 1_700_000_000 }],
    ];
    for (const [what, code, changed] of UNUSABLE) {
      it(`is refused when it is one ${what}`, async () => {
        const answer = await resource.call({ token: resource.giveToken("aisp-pisp", changed) });
        expectRefusal(answer, 401, code);
        expect(answer.headers["www-authenticate"]).to.equal(INVALID_TOKEN);
      });
    }

    it("is refused from the exact moment of its end by our clock, and accepted until then (RFC 7519 4.1.4)", async () => {
      const ends = Math.ceil(resource.clock.now().getTime() / 1_000) + 60;
      const token = resource.giveToken("aisp-pisp", { exp: ends });
      resource.clock.advance(ends * 1_000 - 1 - resource.clock.now().getTime());
      expect((await resource.call({ token })).status).to.equal(200);
      resource.clock.advance(1);
      expectRefusal(await resource.call({ token }), 401, "token_inactive");
    });

    it("is refused when made up, after auth was asked in our own name (RFC 9701 section 4)", async () => {
      expectRefusal(await resource.call({ token: "made-up" }), 401, "token_inactive");
      const form = resource.auth.asked.at(-1);
      expect(form?.get("token")).to.equal("made-up");
      expect(form?.get("client_id")).to.equal("resource");
    });

    it("is accepted where our audience is one of several (RFC 7519 section 4.1.3)", async () => {
      const token = resource.giveToken("aisp-pisp", { aud: ["https://other.example", RESOURCE_SERVER] });
      expect((await resource.call({ token })).status).to.equal(200);
    });
  });

  describe("the binding of a token to its certificate (RFC 8705 section 3)", () => {
    it("refuses a token with another certificate of the same TPP", async () => {
      const answer = await resource.call({ certificate: "aisp", token: resource.giveToken("aisp-pisp") });
      expectRefusal(answer, 401, "token_bound_to_other_certificate");
      expect(answer.headers["www-authenticate"]).to.equal(INVALID_TOKEN);
    });

    it("refuses a token with the certificate of another TPP", async () => {
      const answer = await resource.call({
        certificate: "second-tpp",
        token: resource.giveToken("aisp-pisp"),
      });
      expectRefusal(answer, 401, "token_bound_to_other_certificate");
    });

    it("refuses an old token with the renewed certificate, and accepts it with the old one (RFC 8705 section 7.1)", async () => {
      const token = resource.giveToken("all-roles");
      expectRefusal(
        await resource.call({ certificate: "all-roles-renewed", token }),
        401,
        "token_bound_to_other_certificate",
      );
      expect((await resource.call({ certificate: "all-roles", token })).status).to.equal(200);
    });

    it("refuses a token of another TPP even when it is bound to this certificate", async () => {
      const organisation = resource.tpp("second-tpp").organisationIdentifier;
      const token = resource.giveToken("aisp-pisp", { organisation_identifier: organisation });
      expectRefusal(await resource.call({ token }), 401, "token_of_other_tpp");
    });

    it("answers a stolen token and a made-up one with the same bytes", async () => {
      const stolen = resource.giveToken("aisp-pisp", { scope: "pisp", consented_services: [] });
      const one = await resource.call({ certificate: "second-tpp", token: stolen });
      const other = await resource.call({ certificate: "second-tpp", token: "made-up" });
      expect(one.body).to.equal(other.body);
      expect(one.headers["www-authenticate"]).to.equal(other.headers["www-authenticate"]);
      expect(one.status).to.equal(other.status);
    });

    it("ignores certificates in headers: only that of the connection counts", async () => {
      const token = resource.giveToken("aisp-pisp");
      const answer = await resource.call({
        certificate: "second-tpp",
        token,
        headers: { "client-cert": ":AAAA:", "x-forwarded-client-cert": "Hash=1", "ssl-client-cert": "x" },
      });
      expectRefusal(answer, 401, "token_bound_to_other_certificate");
    });
  });

  describe("the check of scope and consent", () => {
    it("refuses a token without the required scope, and names that scope (RFC 6750 section 3.1)", async () => {
      const token = resource.giveToken("aisp-pisp", { scope: "pisp", consented_services: ["pisp"] });
      const answer = await resource.call({ token });
      expectRefusal(answer, 403, "scope_missing");
      expect(answer.headers["www-authenticate"]).to.equal(
        `${CHALLENGE}, error="insufficient_scope", scope="aisp"`,
      );
    });

    it("refuses a token without any scope", async () => {
      const token = resource.giveToken("aisp-pisp", { scope: undefined });
      expectRefusal(await resource.call({ token }), 403, "scope_missing");
    });

    it("refuses a token whose consent no longer covers the service", async () => {
      const token = resource.giveToken("aisp-pisp", { consented_services: ["pisp"] });
      expectRefusal(await resource.call({ token }), 401, "consent_ended");
    });
  });

  describe("a call of the TPP alone (COBS 3.2.5, 3.3.3)", () => {
    it("may ask for a payment's status without a token", async () => {
      expect((await resource.call({ ...STATUS })).status).to.equal(404);
      expect((await resource.call({ ...STATUS, certificate: "aisp" })).status).to.equal(403);
      expect((await resource.call({ ...STATUS, certificate: null })).status).to.equal(401);
    });

    it("is refused if it carries a token that is not good", async () => {
      const good = resource.giveToken("aisp-pisp", { scope: "pisp", consented_services: ["pisp"] });
      expect((await resource.call({ ...STATUS, token: good })).status).to.equal(404);
      expectRefusal(await resource.call({ ...STATUS, token: "made-up" }), 401, "token_inactive");
      expectRefusal(await resource.call({ ...STATUS, token: resource.giveToken() }), 403, "scope_missing");
      const inQuery = { path: `${STATUS.path}?access_token=x` };
      expectRefusal(await resource.call(inQuery), 401, "token_in_query");
    });

    it("has its token ignored in a balance check, without asking auth", async () => {
      const asked = resource.auth.asked.length;
      const answer = await resource.call({ ...BALANCE_CHECK, certificate: "cisp", token: "made-up" });
      expect(answer.status).to.equal(400);
      expect(resource.auth.asked).to.have.length(asked);
    });
  });
});
