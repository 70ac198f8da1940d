import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, JSON_BODY, postRegistration, REGISTRATION } from "./test-application.ts";

const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const uris = (count: number) => Array.from({ length: count }, (_, index) => `https://tpp.example/${index}`);
const withUri = (uri: string) => ({ ...REGISTRATION, redirect_uris: [uri] });

/** What is wrong, the body, and the status and error that it gets. */
const BAD_BODIES: readonly (readonly [string, unknown, number, string])[] = [
  ["malformed JSON", "{", 400, "invalid_request"],
  ["letters of windows-1250", Buffer.from('{"client_name":"Pen\xecenka"}', "latin1"), 400, "invalid_request"],
  ["nothing", "", 400, "invalid_request"],
  ["no object", "[]", 400, "invalid_request"],
  ["a text", '"text"', 400, "invalid_request"],
  ["20,000 levels", deep, 400, "invalid_request"],
  ["a repeated member", '{"client_name":"a","client_name":"b"}', 400, "invalid_request"],
  ["__proto__", '{"__proto__":{"client_name":"a"}}', 400, "invalid_request"],
  ["no application type", { ...REGISTRATION, applicationType: undefined }, 400, "invalid_request"],
  ["an unknown application type", { ...REGISTRATION, applicationType: "spa" }, 400, "invalid_request"],
  ["no name", { ...REGISTRATION, client_name: undefined }, 400, "invalid_request"],
  ["a name that is a number", { ...REGISTRATION, client_name: 7 }, 400, "invalid_request"],
  ["a name of 256 bytes", { ...REGISTRATION, client_name: "a".repeat(256) }, 400, "invalid_request"],
  ["control characters in a name", { ...REGISTRATION, client_name: "a\nb" }, 400, "invalid_request"],
  ["marks that turn the text round", { ...REGISTRATION, client_name: "a\u202eb" }, 400, "invalid_request"],
  ["no redirect URIs", { ...REGISTRATION, redirect_uris: undefined }, 400, "invalid_request"],
  ["an empty list of redirect URIs", { ...REGISTRATION, redirect_uris: [] }, 400, "invalid_redirect_uri"],
  ["four redirect URIs", { ...REGISTRATION, redirect_uris: uris(4) }, 400, "invalid_redirect_uri"],
  ["1,000 redirect URIs", { ...REGISTRATION, redirect_uris: uris(1_000) }, 400, "invalid_redirect_uri"],
  ["a javascript: redirect", withUri("javascript:alert(1)"), 400, "invalid_redirect_uri"],
  ["a wildcard redirect", withUri("https://*.tpp.example/cb"), 400, "invalid_redirect_uri"],
  ["an http redirect", withUri("http://tpp.example/cb"), 400, "invalid_redirect_uri"],
  ["a redirect with a fragment", withUri("https://tpp.example/cb#x"), 400, "invalid_redirect_uri"],
  ["a redirect with a user", withUri("https://u:p@tpp.example/cb"), 400, "invalid_redirect_uri"],
  ["an unknown scope", { ...REGISTRATION, scopes: ["aisp", "admin"] }, 400, "invalid_scope"],
  ["eleven scopes", { ...REGISTRATION, scopes: Array(11).fill("aisp") }, 400, "invalid_scope"],
];

describe("The content of a registration", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());
  afterEach("the next clean request works", async () => {
    expect((await auth.call({ path: APPLICATIONS })).status).to.equal(200);
  });

  for (const [what, body, status, error] of BAD_BODIES) {
    it(`is refused with ${what} (${status} ${error})`, async () => {
      const answer = await postRegistration(auth, body);
      expect(answer.status, answer.body).to.equal(status);
      expect(JSON.parse(answer.body).error).to.equal(error);
      expect(JSON.parse(answer.body).error_description).to.match(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    });
  }

  it("is refused as not UTF-8 when it is in another encoding (RFC 8259 8.1)", async () => {
    const name = { ...REGISTRATION, client_name: "Pen\u00ecenka" };
    const answer = await postRegistration(auth, Buffer.from(JSON.stringify(name), "latin1"));
    expect(JSON.parse(answer.body).error_description).to.equal("the body is not UTF-8");
  });

  it("is refused as a whole, with every fault reported", async () => {
    const answer = await postRegistration(auth, { redirect_uris: ["nonsense"], scopes: ["nonsense"] });
    const { error_description } = JSON.parse(answer.body);
    for (const at of ["applicationType", "client_name", "redirect_uris[0]", "scopes[0]"]) {
      expect(error_description).to.contain(at);
    }
    expect(error_description).not.to.contain("nonsense");
  });

  it("is refused with the name of every faulty field, however many there are", async () => {
    const languages = Array.from({ length: 10 }, (_, index) =>
      ["en", ...Array<string>(7).fill(`letters${index}`)].join("-"),
    );
    const names = languages.map((language) => `client_name#${language}`);
    const weak = { kty: "oct", k: "AAAA" };
    const unfit = { ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), use: "enc" };
    const answer = await postRegistration(auth, {
      application_type: "native",
      client_name: "",
      ...Object.fromEntries(names.map((name) => [name, ""])),
      redirect_uris: ["http://tpp.example/1", "http://tpp.example/2", "http://tpp.example/3"],
      logo_uri: "http://tpp.example/logo.png",
      contact: "nobody",
      scopes: Array(10).fill("admin"),
      token_endpoint_auth_method: "none",
      jwks: { keys: [weak, weak, weak, weak, weak, unfit, unfit, unfit, unfit, unfit] },
      jwks_uri: "http://tpp.example/jwks",
    });
    expect(answer.status).to.equal(400);
    const { error_description } = JSON.parse(answer.body);
    const each = (list: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${list}[${index}]`);
    const fields = [
      ...["client_name ", "logo_uri", "contact", "token_endpoint_auth_method", "jwks_uri", ...names],
      ...[...each("redirect_uris", 3), ...each("scopes", 10), ...each("jwks.keys", 10)],
    ];
    for (const field of fields) expect(error_description).to.contain(field);
    expect(error_description).to.contain(
      "scopes[0] (scopes[1], scopes[2], scopes[3], scopes[4], scopes[5], scopes[6], scopes[7], scopes[8], scopes[9] too) must be one of aisp, pisp",
    );
    expect(error_description.match(/is not a redirect URI/g)).to.have.length(1);
  });

  for (const [field, wrong] of [
    ["client_name", "a".repeat(256)],
    ["client_name#en-US", "a".repeat(1_025)],
    ["client_name#", "a name in no language"],
    ["logo_uri", "http://tpp.example/logo.png"],
    ["logo_uri", `https://tpp.example/${"a".repeat(2_028)}`],
    ["contact", "nobody"],
    ["contact", `a@${"b".repeat(319)}`],
    ["jwks", { keys: [] }],
    ["jwks_uri", "http://tpp.example/jwks"],
    ["token_endpoint_auth_method", "none"],
    ["scopes", "aisp"],
    ["redirect_uris", "https://tpp.example/cb"],
  ] as const) {
    it(`is refused with the name of the faulty field: ${field} ${String(wrong).slice(0, 20)}`, async () => {
      const answer = await postRegistration(auth, { ...REGISTRATION, [field]: wrong });
      expect(answer.status, answer.body).to.equal(400);
      expect(JSON.parse(answer.body).error_description).to.match(new RegExp(`^${field.replace(".", "\\.")}`));
    });
  }

  it("may have unknown members, which are ignored", async () => {
    const answer = await postRegistration(auth, { ...REGISTRATION, software_id: "x", nested: { a: [1] } });
    expect(answer.status).to.equal(201);
    expect(JSON.parse(answer.body)).not.to.have.any.keys("software_id", "nested");
  });

  it("may have markup in a name, which is kept as it is", async () => {
    const client_name = "<script>alert(1)</script> & co";
    const answer = await postRegistration(auth, { ...REGISTRATION, client_name });
    expect(JSON.parse(answer.body).client_name).to.equal(client_name);
  });

  it("must be sent as JSON (415)", async () => {
    const body = JSON.stringify(REGISTRATION);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      const headers = { "content-type": type };
      const answer = await auth.call({ method: "POST", path: APPLICATIONS, headers, body });
      expect(answer.status, type).to.equal(415);
    }
  });

  it("must not be too large (413)", async () => {
    const body = JSON.stringify({ ...REGISTRATION, client_name: "a".repeat(10_000_000) });
    const answer = await auth.call({ method: "POST", path: APPLICATIONS, headers: JSON_BODY, body }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The server answers and closes; whether the answer arrives before the reset is up to TCP.
    expect([413, "EPIPE", "ECONNRESET"]).to.include(answer);
  });

  it("may have loopback and private-use addresses for native applications (RFC 8252 7)", async () => {
    const redirect_uris = ["http://127.0.0.1/cb", "cz.example.app:/cb", "http://[::1]:7/cb"];
    const body = { ...REGISTRATION, applicationType: "native", redirect_uris };
    expect((await postRegistration(auth, body)).status).to.equal(201);
  });
});
