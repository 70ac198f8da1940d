import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import type { TestCall } from "./auth-calls.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, introspect, isActive, redeem, refresh, type Tokens, tokensFor } from "./use-tokens.ts";

const STOP_LIST = "/operator/stop-list";
/** A machine that has much else to do may put some of many calls off (503); half of them and more it answers. */
function answered(answers: readonly RawAnswer[]): readonly RawAnswer[] {
  const taken = answers.filter(({ status }) => status !== 503);
  expect(taken.length).to.be.at.least(answers.length / 2);
  return taken;
}

const ENVIRONMENT = {
  BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts",
  // Few, and so soon open: fifty calls at once wait for a free connection, not for twice sixteen new ones.
  DATABASE_MAX_CONNECTIONS: "6",
};

describe("The stop list", function stopList() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;
  let application: TestApplication;
  const agents: Agent[] = [];
  before(async () => {
    auth = await runAuth(ENVIRONMENT);
    second = await runAuth(ENVIRONMENT, auth);
    application = await register(auth, {}, "all-roles");
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await second.stop();
    await auth.stop();
  });

  const tppOf = (certificate: string) => auth.tpp(certificate).organisationIdentifier;
  const post = (body: unknown, at = auth, path = STOP_LIST) =>
    at.callAsBank({ method: "POST", path, headers: JSON_BODY, body: JSON.stringify(body) }, "operator");
  const blockTpp = (certificate: string, at = auth) => post({ tpp: tppOf(certificate), reason: "fraud" }, at);
  const blockCertificate = (certificate: string) =>
    post({ certificate: auth.tpp(certificate).thumbprint, reason: "the key was lost" });
  const release = (whom: object) => post({ ...whom, reason: "cleared" }, auth, `${STOP_LIST}/release`);
  const releaseTpp = (certificate: string) => release({ tpp: tppOf(certificate) });
  const releaseCertificate = (certificate: string) =>
    release({ certificate: auth.tpp(certificate).thumbprint });
  afterEach(async () => {
    await Promise.all([releaseTpp("all-roles"), releaseTpp("second-tpp")]);
    await Promise.all([releaseCertificate("all-roles"), releaseCertificate("all-roles-renewed")]);
  });

  const keptAlive = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  };
  const list = (more: Partial<TestCall> = {}, at = auth) =>
    at.call({ certificate: "all-roles", path: APPLICATIONS, ...more });
  const refreshWith = ({ refresh_token }: Tokens, certificate = "all-roles") =>
    refresh(auth, { ...application, certificate }, refresh_token);
  const isLive = ({ access_token }: Tokens, at = auth) => isActive(at, access_token);

  it("refuses a certificate whose other form is blocked, which its holder can make without any key", async () => {
    const { raw } = new X509Certificate(readFileSync(auth.tpp("all-roles").certificateFile));
    const twinThumbprint = thumbprintOf(twinOf(raw, orders["P-256"]));
    expect((await post({ certificate: twinThumbprint, reason: "the key was lost" })).status).to.equal(201);
    expect((await list()).status).to.equal(401);
    await eventually(async () => auth.lastCall().refusal === "certificate_blocked");
    await release({ certificate: twinThumbprint });
    expect((await list()).status).to.equal(200);
  });

  describe("with a blocked TPP", () => {
    it("refuses the TPP's next call on an open connection, on every process", async () => {
      const [agent, another] = [keptAlive(), keptAlive()];
      expect((await list({ agent })).status).to.equal(200);
      expect((await list({ agent: another }, second)).status).to.equal(200);
      expect((await blockTpp("all-roles", second)).status).to.equal(201);
      const answers = [await list({ agent }), await list({ agent: another }, second)];
      for (const answer of answers) {
        expect(answer.status, answer.body).to.equal(401);
        expect(JSON.parse(answer.body)).to.deep.equal({
          error: "access_denied",
          error_description: "tpp_blocked: This TPP is blocked at this bank. Contact the bank.",
        });
      }
      await eventually(async () => auth.lastCall().refusal === "tpp_blocked");
      expect(Object.keys(agent.sockets).length + Object.keys(agent.freeSockets).length).to.equal(1);
    });

    it("refuses a change whose call began before the block and whose body comes after it", async () => {
      const owner = tppOf("second-tpp");
      const forget = "UPDATE tpp SET organisation_name = '' WHERE organisation_identifier = $1";
      const isKnown = "SELECT FROM tpp WHERE organisation_identifier = $1 AND organisation_name <> ''";
      const { client_id } = await register(auth, {}, "second-tpp");
      const begin = async (method: string, path: string) => {
        auth.clock.advance(5_000);
        await auth.database.run({ name: "forget-tpp", text: forget, values: [owner] });
        let send: (text: string) => void = () => {};
        const body = new Promise<string>((resolve) => {
          send = resolve;
        });
        const answer = auth.call({ method, path, certificate: "second-tpp", headers: JSON_BODY, body });
        // Who calls is written when they are let in.
        await eventually(async () => {
          const known = await auth.database.run({ name: "is-known-tpp", text: isKnown, values: [owner] });
          return known.length === 1;
        });
        return () => {
          send(JSON.stringify({ ...REGISTRATION, client_name: "after the block" }));
          return answer;
        };
      };
      const begun = [await begin("POST", APPLICATIONS), await begin("PUT", `${APPLICATIONS}/${client_id}`)];
      await blockTpp("second-tpp");
      for (const end of begun) expect((await end()).status).to.equal(401);
      await releaseTpp("second-tpp");
      const { body } = await list({ certificate: "second-tpp" });
      expect(body).to.include(client_id).and.not.include("after the block");
    });

    it("refuses registration with every certificate of the TPP", async () => {
      await blockTpp("all-roles");
      for (const certificate of ["all-roles", "all-roles-renewed"]) {
        const answer = await postRegistration(auth, REGISTRATION, certificate);
        expect(answer.status, certificate).to.equal(401);
      }
    });

    it("refuses codes and refresh tokens as invalid_client (RFC 6749 5.2)", async () => {
      const tokens = await tokensFor(auth, application);
      const code = await codeFor(auth, application);
      await blockTpp("all-roles");
      for (const answer of [await redeem(auth, application, code), await refreshWith(tokens)]) {
        expect(answer.status, answer.body).to.equal(401);
        expect(JSON.parse(answer.body)).to.include({ error: "invalid_client" });
      }
    });

    it("describes the TPP's tokens as inactive, and as active again after the release", async () => {
      const tokens = await tokensFor(auth, application);
      expect(await isLive(tokens)).to.equal(true);
      await blockTpp("all-roles");
      expect(await isLive(tokens, second)).to.equal(false);
      await releaseTpp("all-roles");
      expect(await isLive(tokens, second)).to.equal(true);
      expect((await refreshWith(tokens)).status).to.equal(200);
    });

    it("does not revive a consent that was withdrawn during the block", async () => {
      const revoked = await tokensFor(auth, application);
      await blockTpp("all-roles");
      const text =
        "UPDATE consent SET ended_at = now(), ended_by = 'psu', end_reason = 'withdrawn' WHERE ended_at IS NULL";
      await auth.database.run({ name: "withdraw", text, values: [] });
      await releaseTpp("all-roles");
      expect(await isLive(revoked)).to.equal(false);
      expect((await refreshWith(revoked)).status).to.equal(400);
    });

    it("refuses a new authorization with a page that has no way back to the TPP (PSD2 Article 68(5))", async () => {
      await blockTpp("all-roles");
      const answer = await openBrowser(auth).get(authorizePath(application));
      expect(answer.status).to.equal(403);
      expect(answer.headers).not.to.have.property("location");
      expect(answer.body).to.include("jsme zablokovali");
      expect(answer.body).not.to.include("tpp.example");
    });

    it("never redirects the PSU to the TPP, whatever is wrong with the request (RFC 6749 10.15)", async () => {
      await blockTpp("all-roles");
      for (const changed of [{ scope: "no-such-scope" }, { response_type: "token" }, { prompt: "none" }]) {
        const answer = await openBrowser(auth).get(authorizePath(application, changed));
        expect(answer.status, JSON.stringify(changed)).to.equal(403);
        expect(answer.headers).not.to.have.property("location");
      }
    });

    it("gives no code to a journey under way, at any of its steps", async () => {
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(authorizePath(application)));
      await blockTpp("all-roles");
      const atSignIn = await browser.follow(await signIn(auth, browser, page));
      expect(atSignIn.status, atSignIn.body).to.equal(403);
      await releaseTpp("all-roles");
      const consentPage = await browser.follow(await signIn(auth, browser, page));
      expect(consentPage.status).to.equal(200);
      await blockTpp("all-roles");
      const atConsent = await browser.follow(await browser.post(consentPage, "consent", { choice: "all" }));
      expect(atConsent.status).to.equal(403);
      expect(atConsent.headers).not.to.have.property("location");
    });

    it("gives no code when the block comes between the consent and the code", async () => {
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(authorizePath(application)));
      const consentPage = await browser.follow(await signIn(auth, browser, page));
      const given = await browser.post(consentPage, "consent", { choice: "all" });
      expect(given.status).to.equal(303);
      await blockTpp("all-roles");
      const answer = await browser.follow(given);
      expect(answer.status).to.equal(403);
      expect(answer.headers).not.to.have.property("location");
      expect(answer.body).to.include("jsme zablokovali");
    });

    it("keeps introspection answering active or inactive while the block is being stored", async () => {
      const tokens = await tokensFor(auth, application);
      const described = Array.from({ length: 50 }, (_, index) =>
        introspect(index % 2 ? auth : second, tokens.access_token),
      );
      await blockTpp("all-roles");
      for (const answer of answered(await Promise.all(described))) {
        expect(answer.status, answer.body).to.equal(200);
        expect(JSON.parse(answer.body).active).to.be.a("boolean");
      }
    });

    it("refuses a refresh under way with the same answer as a later one (RFC 6749 5.2)", async () => {
      const tokens = await tokensFor(auth, application);
      const refreshed = Array.from({ length: 50 }, () => refreshWith(tokens));
      await blockTpp("all-roles");
      const later = await refreshWith(tokens);
      for (const { status, body } of answered(await Promise.all(refreshed)))
        if (status !== 200) expect([status, body]).to.deep.equal([401, later.body]);
    });

    it("admits every other TPP", async () => {
      await blockTpp("second-tpp");
      expect((await list()).status).to.equal(200);
      expect((await list({ certificate: "second-tpp" })).status).to.equal(401);
    });
  });

  describe("with one blocked certificate", () => {
    it("refuses that certificate and admits the TPP with its other one", async () => {
      await blockCertificate("all-roles");
      const refused = await list();
      expect([refused.status, JSON.parse(refused.body).error_description]).to.deep.equal([
        401,
        "certificate_blocked: This certificate is blocked at this bank. Contact the bank.",
      ]);
      await eventually(async () => auth.lastCall().refusal === "certificate_blocked");
      expect((await list({ certificate: "all-roles-renewed" })).status).to.equal(200);
    });

    it("describes tokens bound to that certificate as inactive, and those of the other one as active", async () => {
      const bound = await tokensFor(auth, application);
      const other = JSON.parse((await refreshWith(bound, "all-roles-renewed")).body);
      await blockCertificate("all-roles");
      expect(await isLive(bound)).to.equal(false);
      expect(await isLive(other)).to.equal(true);
      await releaseCertificate("all-roles");
      expect(await isLive(bound)).to.equal(true);
    });
  });

  describe("as an operator keeps it", () => {
    it("answers fifty parallel orders with one block, and fifty releases with one", async () => {
      const orders = await Promise.all(
        Array.from({ length: 50 }, (_, index) => blockTpp("second-tpp", index % 2 ? auth : second)),
      );
      const statuses = (answers: typeof orders) => answers.map(({ status }) => status).sort();
      expect(statuses(orders)).to.deep.equal([...Array(49).fill(200), 201]);
      const releases = await Promise.all(Array.from({ length: 50 }, () => releaseTpp("second-tpp")));
      expect(statuses(releases)).to.deep.equal([200, ...Array(49).fill(404)]);
    });

    it("shows who blocked (name in the certificate), when and why, and keeps released blocks as history", async () => {
      const { status, body } = await blockTpp("second-tpp");
      expect(status).to.equal(201);
      const { result, ...stored } = JSON.parse(body);
      expect(result).to.equal("blocked");
      expect(stored).to.include({
        kind: "tpp",
        organisationIdentifier: tppOf("second-tpp"),
        reason: "fraud",
        origin: "operator",
        blockedBy: "operator",
        releasedAt: null,
      });
      expect(Math.abs(Date.parse(stored.blockedAt) - Date.now())).to.be.lessThan(60_000);
      const inForce = JSON.parse((await auth.callAsBank({ path: STOP_LIST }, "operator")).body).blocks;
      expect(inForce).to.deep.equal([stored]);
      const released = JSON.parse((await releaseTpp("second-tpp")).body);
      expect(released).to.include({ releasedBy: "operator", stillBlockedByRegister: false });
      const history = await auth.callAsBank({ path: `${STOP_LIST}/history?limit=1` }, "operator");
      const { stillBlockedByRegister: _, ...block } = released;
      expect(JSON.parse(history.body).blocks).to.deep.equal([block]);
    });

    it("gives the resource server what is blocked, each key once", async () => {
      await blockTpp("second-tpp");
      await blockCertificate("all-roles");
      const answer = await auth.callAsBank({ path: "/stop-list" });
      const { position, mark, ...blocked } = JSON.parse(answer.body);
      expect(position).to.be.a("number").above(0);
      expect(mark).to.be.a("string");
      expect(blocked).to.deep.equal({
        organisationIdentifiers: [tppOf("second-tpp")],
        thumbprints: [auth.tpp("all-roles").thumbprint],
      });
    });

    it("refuses malformed orders and reports every fault (RFC 9457)", async () => {
      const tpp = tppOf("second-tpp");
      const wrong: readonly unknown[] = [
        [],
        {},
        { tpp },
        { tpp, reason: "" },
        { tpp, reason: "  " },
        { tpp, reason: "two\nlines" },
        { tpp, reason: "hidden \u202e text" },
        { tpp, reason: "x".repeat(501) },
        { tpp, reason: 1 },
        { tpp, reason: "r", by: "somebody else" },
        { tpp, certificate: "A".repeat(43), reason: "r" },
        { tpp: "VATCZ-12345678", reason: "r" },
        { certificate: "A".repeat(42), reason: "r" },
        { certificate: `${"A".repeat(42)}B`, reason: "r" },
      ];
      for (const body of wrong) {
        const answer = await post(body);
        expect(answer.status, JSON.stringify(body)).to.equal(400);
        expect(answer.headers["content-type"]).to.equal("application/problem+json");
        expect(JSON.parse(answer.body)).to.include({ status: 400, title: "The request is invalid" });
      }
      const { detail } = JSON.parse((await post({ who: 1 })).body);
      expect(detail).to.match(/who is not a known member; exactly one of .*; reason must be 1 to 500/);
      expect(JSON.parse((await auth.callAsBank({ path: STOP_LIST }, "operator")).body).blocks).to.deep.equal(
        [],
      );
    });

    it("accepts a reason of 500 characters and an identifier with every permitted character", async () => {
      const organisationIdentifier = "PSDFI-FINFSA-28/58 394-9%?#ä";
      const answer = await post({ tpp: organisationIdentifier, reason: "ž".repeat(500) });
      expect(answer.status, answer.body).to.equal(201);
      const released = await release({ tpp: organisationIdentifier });
      expect(JSON.parse(released.body)).to.include({ organisationIdentifier });
    });

    it("does not release a block of the TPP register, and says so", async () => {
      const text = `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
        VALUES ('organisation', $1, 'register', 'licence withdrawn', 'register')`;
      await auth.database.run({ name: "of-register", text, values: [tppOf("second-tpp")] });
      const refused = await releaseTpp("second-tpp");
      expect(JSON.parse(refused.body)).to.include({
        status: 409,
        title: "Blocked by the TPP register",
        detail: "a check of the register releases it, or the configuration, such as TPP_REGISTER_EXEMPT",
      });
      await blockTpp("second-tpp");
      expect(JSON.parse((await releaseTpp("second-tpp")).body)).to.include({ stillBlockedByRegister: true });
      expect((await list({ certificate: "second-tpp" })).status).to.equal(401);
      const end =
        "UPDATE stop_list_block SET released_by = 'register', released_at = now() WHERE origin = 'register'";
      await auth.database.run({ name: "end", text: end, values: [] });
      expect((await list({ certificate: "second-tpp" })).status).to.equal(200);
    });

    it("does not mistake an operator's parallel block for one of the register", async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 ? blockTpp("second-tpp", index % 4 === 1 ? auth : second) : releaseTpp("second-tpp"),
        ),
      );
      for (const { status, body } of answered(answers)) {
        expect([200, 201, 404], body).to.include(status);
        expect(JSON.parse(body)).not.to.include({ stillBlockedByRegister: true });
      }
    });

    it("refuses bank callers without the right, with problem details (403)", async () => {
      const tried = [
        { method: "GET", path: STOP_LIST },
        { method: "GET", path: `${STOP_LIST}/history` },
        { method: "POST", path: STOP_LIST, headers: JSON_BODY, body: "{}" },
        { method: "POST", path: `${STOP_LIST}/release`, headers: JSON_BODY, body: "{}" },
        { method: "GET", path: "/operator/refusals/1" },
      ];
      for (const call of tried) {
        for (const caller of ["resource", "auth"] as const) {
          const answer = await auth.callAsBank(call, caller);
          expect(answer.status, `${caller} ${call.method} ${call.path}`).to.equal(403);
          expect(answer.headers["content-type"]).to.equal("application/problem+json");
        }
      }
      expect((await auth.callAsBank({ path: "/stop-list" }, "operator")).status).to.equal(403);
    });

    it("is out of reach for TPPs, on the API host and on the bank listener", async () => {
      for (const path of [STOP_LIST, "/stop-list", "/operator/refusals/1"])
        expect((await auth.call({ certificate: "all-roles", path })).status).to.equal(404);
      const { mutualTls, ...ports } = auth.ports;
      expect(mutualTls).to.not.equal(ports.bank);
      const refused = await auth
        .callBankAsTpp({ path: STOP_LIST }, "all-roles")
        .catch((error: Error) => error);
      expect(refused).to.be.an("error");
    });
  });
});
