import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "../test-application.ts";

interface Entry {
  readonly action: string;
  readonly actor: string;
  readonly certificate: string;
  readonly request_id: string;
  readonly details: string;
}

describe("The audit log of applications", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const pathOf = ({ client_id }: Pick<TestApplication, "client_id">) => `${APPLICATIONS}/${client_id}`;
  const put = (application: TestApplication, body: object) =>
    auth.call({
      method: "PUT",
      path: pathOf(application),
      headers: JSON_BODY,
      body: JSON.stringify({ ...REGISTRATION, ...body }),
    });
  const entriesOf = ({ client_id }: TestApplication) => {
    const text = `SELECT action, actor, certificate, request_id, details FROM audit_entry
      WHERE subject_kind = 'application' AND subject = $1 ORDER BY id`;
    return auth.database.run<Entry>({ name: "entries", text, values: [client_id] });
  };
  const detailsOf = (entry: Entry | undefined) => JSON.parse(entry?.details ?? "{}");

  it("records who did what, with which certificate, in which call", async () => {
    const application = await register(auth);
    const requestIds = [auth.lastCall().requestId];
    for (const call of [
      () => put(application, {}),
      () => auth.call({ method: "POST", path: `${pathOf(application)}/renewSecret` }),
      () => auth.call({ method: "DELETE", path: pathOf(application) }),
    ]) {
      expect((await call()).status).to.be.oneOf([200, 204]);
      requestIds.push(auth.lastCall().requestId);
    }
    const entries = await entriesOf(application);
    expect(entries.map(({ action }) => action)).to.deep.equal([
      "application.registered",
      "application.changed",
      "application.secret_renewed",
      "application.deleted",
    ]);
    expect(entries.map(({ request_id }) => request_id)).to.deep.equal(requestIds);
    const { organisationIdentifier } = auth.tpp("aisp-pisp");
    for (const entry of entries) {
      expect(entry.actor).to.equal(organisationIdentifier);
      expect(entry.certificate).to.match(/^[A-Za-z0-9_-]{43}$/);
    }
  });

  it("records which fields changed, from what to what, keys by their thumbprints (RFC 7638)", async () => {
    const application = await register(auth, { contact: "old@tpp.example" });
    const { publicKey } = generateKeyPairSync("ed25519");
    const jwks = { keys: [publicKey.export({ format: "jwk" })] };
    const changed = { client_name: "New", jwks, token_endpoint_auth_method: "private_key_jwt" };
    expect((await put(application, changed)).status).to.equal(200);
    const details = detailsOf((await entriesOf(application)).at(-1));
    expect(details.changed).to.have.members([
      "client_name",
      "contact",
      "jwks",
      "security_profile",
      "token_endpoint_auth_method",
    ]);
    expect(details).to.include({
      "client_name.before": REGISTRATION.client_name,
      "client_name.after": "New",
      "contact.before": "old@tpp.example",
      "contact.after": null,
      "jwks.before": null,
      "security_profile.before": "cobs",
      "security_profile.after": "fapi2",
    });
    expect(details["jwks.after"]).to.have.length(1);
    expect(details["jwks.after"][0]).to.match(/^[A-Za-z0-9_-]{43}$/);
  });

  it("records a change of nothing but a key's kid or alg, and none when nothing changed", async () => {
    const application = await register(auth);
    const key = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    const changeBy = async (members: Readonly<Record<string, string>>) => {
      const jwks = { keys: [{ ...key, ...members }] };
      const answer = await put(application, { jwks, token_endpoint_auth_method: "private_key_jwt" });
      expect(answer.status).to.equal(200);
      const { changed, ...told } = detailsOf((await entriesOf(application)).at(-1));
      return [changed, told["jwks.before"]?.[0].slice(43), told["jwks.after"]?.[0].slice(43)];
    };
    await changeBy({ kid: "a" });
    expect(await changeBy({ kid: "a" })).to.deep.equal([[], undefined, undefined]);
    expect(await changeBy({ kid: "b b" })).to.deep.equal([["jwks"], " kid=a", " kid=b b"]);
    const both = { alg: "EdDSA", kid: "b b" };
    expect(await changeBy(both)).to.deep.equal([["jwks"], " kid=b b", " alg=EdDSA kid=b b"]);
  });

  it("holds no secret, whichever call was made", async () => {
    const application = await register(auth);
    const renewed = await auth.call({ method: "POST", path: `${pathOf(application)}/renewSecret` });
    const { client_secret } = JSON.parse(renewed.body);
    await auth.call({ method: "DELETE", path: pathOf(application) });
    const text = "SELECT string_agg(e::text, ' ') AS log FROM audit_entry e";
    const [row] = await auth.database.run<{ log: string }>({ name: "log", text, values: [] });
    for (const secret of [application.client_secret, client_secret]) expect(row?.log).not.to.contain(secret);
  });

  it("has no entry of a change that was refused", async () => {
    const application = await register(auth);
    expect((await put(application, { scopes: ["admin"] })).status).to.equal(400);
    const headers = { "if-match": '"other"' };
    expect((await auth.call({ method: "DELETE", path: pathOf(application), headers })).status).to.equal(412);
    expect(await entriesOf(application)).to.have.length(1);
  });

  it("lets no change pass that it cannot record (500)", async () => {
    const application = await register(auth);
    const refuse =
      "ALTER TABLE audit_entry ADD CONSTRAINT full_up CHECK (action NOT LIKE 'application.%') NOT VALID";
    const allow = "ALTER TABLE audit_entry DROP CONSTRAINT full_up";
    await auth.database.run({ name: "refuse", text: refuse, values: [] });
    try {
      expect((await put(application, { client_name: "Unseen" })).status).to.equal(500);
      expect((await auth.call({ method: "DELETE", path: pathOf(application) })).status).to.equal(500);
      expect((await postRegistration(auth, { ...REGISTRATION, client_name: "Unseen" })).status).to.equal(500);
    } finally {
      await auth.database.run({ name: "allow", text: allow, values: [] });
    }
    const list = JSON.parse((await auth.call({ path: APPLICATIONS })).body);
    expect(list.map((each: { client_name: string }) => each.client_name)).not.to.include("Unseen");
    expect((await auth.call({ path: pathOf(application) })).status).to.equal(200);
  });
});
