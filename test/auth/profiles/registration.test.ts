import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import { expectError } from "../expect-error.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  postRegistration,
  REGISTRATION,
  register,
} from "../test-application.ts";
import { refresh, tokensFor } from "../use-tokens.ts";
import { createKey, postAs } from "./fapi2-application.ts";

const newKey = (kid: string) => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
  kid,
});
const jwks = { keys: [newKey("one")] };
const WITH_KEY = { ...REGISTRATION, token_endpoint_auth_method: "private_key_jwt", jwks };
const WITH_CERTIFICATE = { ...REGISTRATION, token_endpoint_auth_method: "tls_client_auth" };

describe("The security profile of an application", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const put = (client_id: string, body: unknown, server = auth) =>
    server.call({
      method: "PUT",
      path: `${APPLICATIONS}/${client_id}`,
      headers: JSON_BODY,
      body: JSON.stringify(body),
    });
  const read = async (client_id: string) =>
    JSON.parse((await auth.call({ path: `${APPLICATIONS}/${client_id}` })).body);
  const renew = (client_id: string) =>
    auth.call({ method: "POST", path: `${APPLICATIONS}/${client_id}/renewSecret` });

  for (const [name, body] of [
    ["a key", WITH_KEY],
    ["its certificate", WITH_CERTIFICATE],
  ] as const) {
    it(`is fapi2 when it authenticates with ${name}, and no secret is given (FAPI 2.0 5.3.2.1)`, async () => {
      const answer = await postRegistration(auth, body);
      expect(answer.status, answer.body).to.equal(201);
      const { client_id, ...rest } = JSON.parse(answer.body);
      expect(rest).to.deep.equal({ ...body, api_key: "NOT_PROVIDED", security_profile: "fapi2" });
      expect(await read(client_id)).to.deep.equal({ client_id, ...rest });
      expectError(await renew(client_id), 400, "invalid_request");
    });
  }

  it("is cobs with a secret, however it is sent, and whatever profile the request names", async () => {
    for (const token_endpoint_auth_method of ["client_secret_post", "client_secret_basic"]) {
      const body = { ...REGISTRATION, token_endpoint_auth_method, security_profile: "fapi2" };
      const answer = JSON.parse((await postRegistration(auth, body)).body);
      expect(answer).to.include({ security_profile: "cobs", client_secret_expires_at: 0 });
      expect(answer.client_secret).to.be.a("string");
    }
  });

  it("is refused with a private key, a weak one or none", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey;
    for (const wrong of [
      undefined,
      { keys: [privateKey.export({ format: "jwk" })] },
      { keys: [rsa.export({ format: "jwk" })] },
    ]) {
      expectError(await postRegistration(auth, { ...WITH_KEY, jwks: wrong }), 400, "invalid_request");
    }
  });

  describe("when the application is changed", () => {
    it("moves up to fapi2, which ends the secret", async () => {
      const application = await register(auth);
      const answer = await put(application.client_id, WITH_KEY);
      expect(answer.status, answer.body).to.equal(200);
      expect(JSON.parse(answer.body)).to.include({ security_profile: "fapi2" });
      expectError(
        await postForm(auth, "/oauth/revoke", application, { token: "none" }),
        401,
        "invalid_client",
      );
      const text = "SELECT secret_hash FROM application WHERE id = $1";
      const rows = await auth.database.run({ name: "secret", text, values: [application.client_id] });
      expect(rows).to.deep.equal([{ secret_hash: null }]);
    });

    it("moves up to fapi2 while consents and refresh tokens stay", async () => {
      const application = await register(auth);
      const { refresh_token } = await tokensFor(auth, application);
      const { members, applicationOf } = await createKey();
      expect((await put(application.client_id, members)).status).to.equal(200);
      expectError(await refresh(auth, application, refresh_token), 401, "invalid_client");
      const moved = applicationOf(application.client_id, application.certificate);
      const refreshed = await postAs(auth, moved, "/oauth/token", {
        grant_type: "refresh_token",
        refresh_token,
      });
      expect(refreshed.status, refreshed.body).to.equal(200);
    });

    it("lets in assertions of the new keys at once, and of the old ones no more", async () => {
      const [before, after] = [await createKey(), await createKey()];
      const { client_id, certificate } = await register(auth, before.members);
      const revokeBy = (key: typeof before) =>
        postAs(auth, key.applicationOf(client_id, certificate), "/oauth/revoke", { token: "none" });
      expect((await revokeBy(before)).status).to.equal(200);
      expect((await put(client_id, after.members)).status).to.equal(200);
      expectError(await revokeBy(before), 401, "invalid_client");
      expect((await revokeBy(after)).status).to.equal(200);
    });

    it("never moves down, not even with ten requests at once", async () => {
      const { client_id } = await register(auth, WITH_KEY);
      const down = { ...REGISTRATION, token_endpoint_auth_method: "client_secret_post" };
      const answers = await Promise.all(Array.from({ length: 10 }, () => put(client_id, down)));
      for (const answer of answers) expectError(answer, 400, "invalid_request");
      expect(await read(client_id)).to.include({ security_profile: "fapi2" });
    });

    it("stays fapi2, with its keys, when the request does not mention them", async () => {
      const { client_id } = await register(auth, WITH_KEY);
      expect((await put(client_id, { ...REGISTRATION, client_name: "Renamed" })).status).to.equal(200);
      expect(await read(client_id)).to.deep.include({
        client_name: "Renamed",
        jwks,
        security_profile: "fapi2",
      });
      const next = { keys: [newKey("two"), ...jwks.keys] };
      expect((await put(client_id, { ...REGISTRATION, jwks: next })).status).to.equal(200);
      expect(await read(client_id)).to.deep.include({ jwks: next, security_profile: "fapi2" });
    });

    it("stays fapi2 when the key is replaced by the certificate", async () => {
      const { client_id } = await register(auth, WITH_KEY);
      expect((await put(client_id, WITH_CERTIFICATE)).status).to.equal(200);
      const now = await read(client_id);
      expect(now).to.include({ token_endpoint_auth_method: "tls_client_auth", security_profile: "fapi2" });
      expect(now).not.to.have.property("jwks");
    });

    it("ends as fapi2 when one of two parallel requests moves up", async () => {
      for (let round = 0; round < 10; round += 1) {
        const { client_id } = await register(auth);
        await Promise.all([
          put(client_id, WITH_KEY),
          put(client_id, { ...REGISTRATION, client_name: "Other" }),
        ]);
        expect(await read(client_id)).to.deep.include({ jwks, security_profile: "fapi2" });
      }
    });
  });

  describe("when the bank requires fapi2", () => {
    let strict: RunningAuth;
    before(async () => {
      strict = await runAuth({ SECURITY_PROFILE: "fapi2" }, auth);
    });
    after(() => strict.stop());

    it("is refused as cobs at registration and at a change, and taken as fapi2", async () => {
      expectError(await postRegistration(strict, REGISTRATION), 400, "invalid_request");
      expect((await postRegistration(strict, WITH_KEY)).status).to.equal(201);
      const { client_id } = await register(auth);
      expectError(await put(client_id, REGISTRATION, strict), 400, "invalid_request");
      expect((await put(client_id, WITH_CERTIFICATE, strict)).status).to.equal(200);
    });
  });

  it("must be fapi2 from the configured moment on, and not before", async () => {
    const requiredProfile = { fapi2From: new Date(auth.clock.now().getTime() + 60_000) };
    const strict = await runAuth({}, auth, { requiredProfile });
    try {
      expect((await postRegistration(strict, REGISTRATION)).status).to.equal(201);
      strict.clock.advance(60_000);
      expectError(await postRegistration(strict, REGISTRATION), 400, "invalid_request");
    } finally {
      await strict.stop();
    }
  });
});
