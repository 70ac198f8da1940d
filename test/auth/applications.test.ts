import { expect } from "chai";
import { hashClientSecret } from "../../packages/auth/src/applications/client-secret.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";

/** What the bank adds to an application of a TPP that says no more. */
const GIVEN = { client_secret_expires_at: 0, api_key: "NOT_PROVIDED", security_profile: "cobs" };

describe("Applications", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const put = (path: string, body: unknown, certificate = "aisp-pisp") =>
    auth.call({ certificate, method: "PUT", path, headers: JSON_BODY, body: JSON.stringify(body) });
  const read = ({ client_id, certificate }: TestApplication) =>
    auth.call({ certificate, path: `${APPLICATIONS}/${client_id}` });
  const expectError = (answer: RawAnswer, status: number, error: string) => {
    expect(answer.status, answer.body).to.equal(status);
    expect(JSON.parse(answer.body)).to.have.all.keys("error", "error_description");
    expect(JSON.parse(answer.body).error).to.equal(error);
  };

  it("are listed as an empty array to a TPP that has registered none", async () => {
    const answer = await auth.call({ certificate: "second-tpp", path: APPLICATIONS });
    expect([answer.status, answer.body]).to.deep.equal([200, "[]"]);
  });

  describe("when they are registered (COBS PDF 1.4.1.1)", () => {
    it("are returned with an id, a secret of 256 bits and everything that was sent", async () => {
      const answer = await postRegistration(auth, REGISTRATION);
      expect(answer.status).to.equal(201);
      const { client_id, client_secret, ...rest } = JSON.parse(answer.body);
      expect(client_id).to.match(/^[A-Za-z0-9_-]{22}$/);
      expect(client_secret).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(rest).to.deep.equal({ ...REGISTRATION, ...GIVEN });
    });

    it("can be read at the Location of the answer (RFC 9110 15.3.2)", async () => {
      const { headers, body } = await postRegistration(auth, REGISTRATION);
      const read = await auth.call({ path: String(headers.location) });
      expect([read.status, read.headers.etag]).to.deep.equal([200, headers.etag]);
      expect(JSON.parse(read.body).client_id).to.equal(JSON.parse(body).client_id);
    });

    it("are never cached (RFC 6749 5.1)", async () => {
      const { headers } = await postRegistration(auth, REGISTRATION);
      expect(headers["cache-control"]).to.equal("no-store");
      expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
    });

    it("get every scope that the TPP's roles cover when the registration names none", async () => {
      const { scopes: _, ...silent } = REGISTRATION;
      expect(JSON.parse((await postRegistration(auth, silent)).body).scopes).to.deep.equal(["aisp", "pisp"]);
      expect(JSON.parse((await postRegistration(auth, silent, "aisp")).body).scopes).to.deep.equal(["aisp"]);
      expect(JSON.parse((await postRegistration(auth, silent, "pisp")).body).scopes).to.deep.equal(["pisp"]);
    });

    it("are refused a scope that the certificate has no role for (403 insufficient_scope)", async () => {
      expectError(await postRegistration(auth, REGISTRATION, "aisp"), 403, "insufficient_scope");
      expectError(
        await postRegistration(auth, { ...REGISTRATION, scopes: ["aisp"] }, "pisp"),
        403,
        "insufficient_scope",
      );
    });

    it("are refused to a TPP whose roles cover no scope at all", async () => {
      const { scopes: _, ...silent } = REGISTRATION;
      expectError(await postRegistration(auth, silent, "cisp"), 403, "insufficient_scope");
    });

    it("are stored with only a hash of the secret", async () => {
      const { client_id, client_secret } = await register(auth);
      const text = "SELECT a::text AS row, secret_hash FROM application a WHERE id = $1";
      const statement = { name: "look", text, values: [client_id] };
      const [row] = await auth.database.run<{ row: string; secret_hash: string }>(statement);
      expect(row?.row).not.to.contain(client_secret);
      expect(row?.secret_hash).to.equal(hashClientSecret(client_secret));
    });

    it("are limited to the bank's maximum per TPP, even with fifty parallel registrations in two processes", async () => {
      const limit = { MAX_APPLICATIONS_PER_TPP: "20" };
      const servers = [await runAuth(limit, auth), await runAuth(limit, auth)];
      // A call that finds no free connection is to be sent again, as its answer says.
      const attempt = async (server = auth): Promise<RawAnswer> => {
        const answer = await postRegistration(server, REGISTRATION, "second-tpp");
        return answer.status === 503 ? attempt(server) : answer;
      };
      try {
        const attempts = Array.from({ length: 50 }, (_, index) => attempt(servers[index % 2]));
        const answers = await Promise.all(attempts);
        const refused = answers.filter(({ status }) => status !== 201);
        expect(refused).to.have.length(30);
        for (const answer of refused) expectError(answer, 400, "invalid_request");
        expect(refused[0]?.body).to.contain("the maximum number of applications");
      } finally {
        for (const server of servers) await server.stop();
      }
      const list = JSON.parse((await auth.call({ certificate: "second-tpp", path: APPLICATIONS })).body);
      expect(list).to.have.length(20);
      expect((await postRegistration(auth, REGISTRATION, "second-tpp")).status).to.equal(201);
    });
  });

  describe("when they are read (COBS PDF 1.4.1.2)", () => {
    it("are returned without the secret (A-27)", async () => {
      const application = await register(auth);
      const answer = await read(application);
      expect(answer.status).to.equal(200);
      const { client_id, ...rest } = JSON.parse(answer.body);
      expect(client_id).to.equal(application.client_id);
      expect(rest).to.deep.equal({ ...REGISTRATION, ...GIVEN });
    });

    it("are listed as a bare array without secrets", async () => {
      const { client_id, client_secret } = await register(auth);
      const answer = await auth.call({ path: APPLICATIONS });
      expect(answer.status).to.equal(200);
      const listed: readonly TestApplication[] = JSON.parse(answer.body);
      expect(listed.map((each) => each.client_id)).to.include(client_id);
      expect(answer.body).not.to.contain(client_secret).and.not.to.contain('client_secret"');
    });

    it("belong to the TPP and not to its certificate", async () => {
      const application = await register(auth, {}, "aisp-pisp");
      expect((await read({ ...application, certificate: "all-roles-renewed" })).status).to.equal(200);
    });

    it("look unknown to every other TPP, byte for byte (401 invalid_client)", async () => {
      const { client_id } = await register(auth);
      const unknown = "AAAAAAAAAAAAAAAAAAAAAA";
      const calls = [
        { method: "GET", path: "" },
        { method: "DELETE", path: "" },
        { method: "POST", path: "/renewSecret" },
        { method: "PUT", path: "", headers: JSON_BODY, body: JSON.stringify(REGISTRATION) },
      ];
      for (const { path, ...call } of calls) {
        const answers = await Promise.all(
          [client_id, unknown].map((id) =>
            auth.call({ ...call, certificate: "second-tpp", path: `${APPLICATIONS}/${id}${path}` }),
          ),
        );
        for (const answer of answers) expectError(answer, 401, "invalid_client");
        expect(answers[0]?.body).to.equal(answers[1]?.body);
        const { error_description } = JSON.parse(answers[0]?.body ?? "");
        expect(error_description).to.equal("this TPP has no application with this id");
      }
      expect((await auth.call({ path: `${APPLICATIONS}/${client_id}` })).status).to.equal(200);
    });
  });

  describe("when they are replaced (COBS PDF 1.4.1.3)", () => {
    it("are replaced as a whole, by the id in the path", async () => {
      const { client_id } = await register(auth, { logo_uri: "https://tpp.example/logo.png" });
      const wanted = {
        applicationType: "web",
        client_name: "Other",
        redirect_uris: ["https://tpp.example/2"],
      };
      const answer = await put(`${APPLICATIONS}/${client_id}`, { ...wanted, scopes: ["aisp"] });
      expect(answer.status).to.equal(200);
      expect(JSON.parse(answer.body)).to.deep.equal({
        client_id,
        client_secret_expires_at: 0,
        ...wanted,
        scopes: ["aisp"],
        security_profile: "cobs",
      });
    });

    it("are also found by the client_id in the body (A-26)", async () => {
      const { client_id } = await register(auth);
      const answer = await put(APPLICATIONS, { ...REGISTRATION, client_id, client_name: "By body" });
      expect(answer.status).to.equal(200);
      expect(JSON.parse(answer.body).client_name).to.equal("By body");
    });

    it("are refused without an id, with two different ids, or with an id that is not a string", async () => {
      const { client_id } = await register(auth);
      const other = await register(auth);
      expectError(await put(APPLICATIONS, REGISTRATION), 400, "invalid_request");
      expectError(
        await put(`${APPLICATIONS}/${client_id}`, { ...REGISTRATION, client_id: other.client_id }),
        400,
        "invalid_request",
      );
      expectError(
        await put(APPLICATIONS, { ...REGISTRATION, client_id: [client_id] }),
        400,
        "invalid_request",
      );
      expect((await put(`${APPLICATIONS}/${client_id}`, { ...REGISTRATION, client_id })).status).to.equal(
        200,
      );
    });

    it("keep their secret and owner, whatever the body says (no mass assignment)", async () => {
      const application = await register(auth);
      const wanted = { ...REGISTRATION, client_secret: "mine", owner: "PSDCZ-CNB-1", deleted_at: null };
      expect((await put(`${APPLICATIONS}/${application.client_id}`, wanted)).status).to.equal(200);
      const answer = await postForm(auth, "/oauth/revoke", application, { token: "none" });
      expect(answer.status, answer.body).to.equal(200);
    });

    it("end up as one of two parallel replacements, never as a mixture", async () => {
      const { client_id } = await register(auth);
      const wanted = ["a", "b"].map((name) => ({
        ...REGISTRATION,
        client_name: name,
        redirect_uris: [`https://tpp.example/${name}`],
      }));
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(wanted.map((body) => put(`${APPLICATIONS}/${client_id}`, body)));
        const { client_name, redirect_uris } = JSON.parse(
          (await auth.call({ path: `${APPLICATIONS}/${client_id}` })).body,
        );
        expect(redirect_uris).to.deep.equal([`https://tpp.example/${client_name}`]);
      }
    });
  });

  describe("when their secret is renewed (COBS PDF 1.4.1.5)", () => {
    it("accept the new secret and refuse the old one at once", async () => {
      const application = await register(auth);
      const path = `${APPLICATIONS}/${application.client_id}/renewSecret`;
      const answer = await auth.call({ method: "POST", path });
      expect(answer.status).to.equal(200);
      const renewed = JSON.parse(answer.body);
      expect(renewed).to.have.all.keys("client_id", "client_secret", "client_secret_expires_at");
      const withNew = await postForm(
        auth,
        "/oauth/revoke",
        { ...application, ...renewed },
        { token: "none" },
      );
      const withOld = await postForm(auth, "/oauth/revoke", application, { token: "none" });
      expect(withNew.status).to.equal(200);
      expectError(withOld, 401, "invalid_client");
    });
  });

  it("have no API key, even after a call to renew it (COBS PDF 1.4.1.6, A-29)", async () => {
    const { client_id } = await register(auth);
    const answer = await auth.call({ method: "POST", path: `${APPLICATIONS}/${client_id}/renewKey` });
    expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
      200,
      { client_id, api_key: "NOT_PROVIDED" },
    ]);
    const foreign = { certificate: "second-tpp", path: `${APPLICATIONS}/${client_id}/renewKey` };
    expectError(await auth.call({ ...foreign, method: "POST" }), 401, "invalid_client");
  });

  it("keep and return every field of the standard in full (COBS PDF 1.4.1.1)", async () => {
    const long = (text: string, bytes: number) => text.padEnd(bytes, "x");
    const full = {
      ...REGISTRATION,
      client_name: long("n", 255),
      "client_name#en-US": long("e", 1_024),
      "client_name#cs": "Moje peněženka",
      logo_uri: long("https://tpp.example/", 2_047),
      contact: `${long("c", 64)}@${Array(4).fill(long("d", 63)).join(".")}`,
      redirect_uris: [1, 2, 3].map((index) => long(`https://tpp.example/${index}`, 2_047)),
    };
    const answer = await postRegistration(auth, full);
    const { client_id, client_secret: _, ...created } = JSON.parse(answer.body);
    expect(created).to.deep.equal({ ...full, ...GIVEN });
    const readBack = JSON.parse((await auth.call({ path: `${APPLICATIONS}/${client_id}` })).body);
    expect(readBack).to.deep.equal({ client_id, ...created });
    const { api_key: __, ...updated } = created;
    const replaced = await put(`${APPLICATIONS}/${client_id}`, full);
    expect(JSON.parse(replaced.body)).to.deep.equal({ client_id, ...updated });
  });

  describe("when they are deleted (COBS PDF 1.4.1.4)", () => {
    it("are gone after a 204 without a body, and only their id is kept (A-28)", async () => {
      const application = await register(auth);
      const path = `${APPLICATIONS}/${application.client_id}`;
      const answer = await auth.call({ method: "DELETE", path });
      expect([answer.status, answer.body]).to.deep.equal([204, ""]);
      expectError(await read(application), 401, "invalid_client");
      expectError(await auth.call({ method: "DELETE", path }), 401, "invalid_client");
      expectError(await postForm(auth, "/oauth/token", application, {}), 401, "invalid_client");
      const statement = {
        name: "rest",
        text: "SELECT client_name, secret_hash FROM application WHERE id = $1",
      };
      const rest = await auth.database.run({ ...statement, values: [application.client_id] });
      expect(rest).to.deep.equal([{ client_name: "", secret_hash: "" }]);
    });
  });

  describe("without an accepted certificate", () => {
    it("are refused to a caller without a certificate (401 unauthorized_client)", async () => {
      expectError(await postRegistration(auth, REGISTRATION, null), 401, "unauthorized_client");
      expectError(await auth.call({ certificate: null, path: APPLICATIONS }), 401, "unauthorized_client");
    });

    it("are refused whatever the body is, because the body is read only after the certificate", async () => {
      for (const body of ["{", "[]", `"${"x".repeat(60_000)}"`]) {
        expectError(await postRegistration(auth, body, null), 401, "unauthorized_client");
        expectError(await postRegistration(auth, body, "wrong-expired"), 401, "access_denied");
      }
      const call = { certificate: null, method: "PUT", path: APPLICATIONS, body: "a=b" };
      const headers = { "content-type": "text/plain" };
      expectError(await auth.call({ ...call, headers }), 401, "unauthorized_client");
    });

    it("are refused for each wrong certificate, with its refusal code in the log and in the answer", async () => {
      const wrong = auth.certificates.tpp.filter(({ expectedRefusal }) => expectedRefusal !== null);
      expect(wrong.length).to.be.greaterThan(7);
      for (const { name, expectedRefusal } of wrong) {
        const answer = await postRegistration(auth, REGISTRATION, name);
        expectError(answer, 401, "access_denied");
        expect(auth.lastCall().refusal, name).to.equal(expectedRefusal);
        expect(answer.body).to.contain(`${expectedRefusal}: `);
      }
    });
  });

  it("have the TPP in the log line, also when the call is refused", async () => {
    const { organisationIdentifier: tpp } = auth.tpp("aisp-pisp");
    for (const [body, status] of [
      [REGISTRATION, 201],
      ["{", 400],
      [{ ...REGISTRATION, redirect_uris: [] }, 400],
    ] as const) {
      expect((await postRegistration(auth, body)).status).to.equal(status);
      expect(auth.lastCall()).to.include({ tpp, status });
    }
  });

  it("are served only at their own paths: another method is 405 with Allow, another path 404", async () => {
    const other = await auth.call({ method: "PATCH", path: APPLICATIONS });
    expectError(other, 405, "invalid_request");
    expect(String(other.headers.allow)).to.include("POST").and.include("PUT");
    expectError(await auth.call({ path: `${APPLICATIONS}/a/b/c` }), 404, "invalid_request");
  });
});
