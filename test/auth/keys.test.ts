import { createPrivateKey, type JsonWebKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify } from "jose";
import { eventually } from "../support/eventually.ts";
import { createDatabaseWithMovableClock } from "../support/movable-database-clock.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { authorizePath, consent, openBrowser, signIn } from "./psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import { JSON_BODY, register, type TestApplication } from "./test-application.ts";
import { introspect, tokensFor } from "./use-tokens.ts";

const KEYS = "/operator/keys";
const ENVIRONMENT = {
  BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts",
  DATABASE_MAX_CONNECTIONS: "6",
};

interface PresentedKey {
  readonly kid: string;
  readonly use: string;
  readonly state: string;
}

describe("The keys of auth", function keys() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;
  let application: TestApplication;
  let token: string;
  before(async () => {
    auth = await runAuth(ENVIRONMENT);
    second = await runAuth(ENVIRONMENT, auth);
    application = await register(auth);
    token = await newToken();
  });
  after(async () => {
    await second.stop();
    await auth.stop();
  });

  const newToken = async () => (await tokensFor(auth, application)).access_token;
  const order = (method: string, path: string, body?: unknown, at = auth) =>
    at.callAsBank(
      { method, path, ...(body !== undefined && { headers: JSON_BODY, body: JSON.stringify(body) }) },
      "operator",
    );
  const rotate = async (use: string, at = auth): Promise<PresentedKey> => {
    const answer = await order("POST", KEYS, { use }, at);
    expect(answer.status, answer.body).to.equal(201);
    return JSON.parse(answer.body);
  };
  const drop = (kid: string, at = auth) => order("POST", `${KEYS}/${kid}/drop`, { reason: "leaked" }, at);
  const list = async (): Promise<readonly PresentedKey[]> => JSON.parse((await order("GET", KEYS)).body).keys;
  const inUse = async (use: string) =>
    (await list()).filter((key) => key.use === use && key.state !== "gone");
  const keySet = async (at: RunningAuth) => JSON.parse((await at.callAsBank({ path: "/oauth/jwks" })).body);
  const published = async (at: RunningAuth): Promise<readonly string[]> =>
    (await keySet(at)).keys.map(({ kid }: { kid: string }) => kid);
  const introspectSigned = async (at: RunningAuth) => {
    const answer = await introspect(at, token, { accept: "application/token-introspection+jwt" });
    expect(answer.status, answer.body).to.equal(200);
    return answer.body;
  };
  const verify = (jwt: string, set: { keys: JsonWebKey[] }) =>
    jwtVerify(jwt, createLocalJWKSet(set as never), { issuer: ISSUER, audience: "resource" });
  const signerAt = async (at: RunningAuth) => decodeProtectedHeader(await introspectSigned(at)).kid;
  /** Lets the time pass that a key is announced, or that it is retired. */
  const pass = (seconds: number) =>
    auth.database.run({
      name: "pass",
      text: `UPDATE server_key SET signs_from = signs_from - make_interval(secs => $1),
        retires_at = retires_at - make_interval(secs => $1), ends_at = ends_at - make_interval(secs => $1)`,
      values: [seconds],
    });

  const stateOf = async (kid: string) => (await list()).find((key) => key.kid === kid)?.state;
  /** Whoever is asked for the key set looks at all keys. */
  const letProcessesLook = () => Promise.all([published(auth), published(second)]);

  it("are published by every process before they sign (KEY-01)", async () => {
    const before = await introspectSigned(auth);
    const { kid } = await rotate("signing");
    expect(await published(second))
      .to.include(kid)
      .and.to.have.length(2);
    expect(await published(auth)).to.deep.equal(await published(second));
    expect(await signerAt(second)).not.to.equal(kid);
    await pass(301);
    await eventually(async () => (await signerAt(auth)) === kid && (await signerAt(second)) === kid);
    const set = await keySet(second);
    for (const jwt of [before, await introspectSigned(auth), await introspectSigned(second)])
      await verify(jwt, set);
    await pass(661);
    expect(await published(auth)).to.deep.equal([kid]);
    expect(await published(second)).to.deep.equal([kid]);
    const gone = await verify(before, await keySet(auth)).catch((error: Error) => error);
    expect(gone).to.have.property("code", "ERR_JWKS_NO_MATCHING_KEY");
  });

  it("have only public members in the key set, at both listeners (KEY-05)", async () => {
    await rotate("signing");
    const browsed = JSON.parse((await auth.browse({ path: "/oauth/jwks" })).body);
    expect(browsed).to.deep.equal(await keySet(auth));
    for (const key of browsed.keys) {
      expect(key).to.have.all.keys("kty", "use", "kid", "alg", "crv", "x", "y");
      expect(key).to.include({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    }
  });

  it("are gone from every process's key set as soon as the order to drop them is answered (KEY-02)", async () => {
    const kid = (await signerAt(auth)) ?? "";
    const compromised = await introspectSigned(second);
    const { status, body } = await drop(kid);
    expect([status, JSON.parse(body).state]).to.deep.equal([200, "gone"]);
    for (const process of [second, auth]) expect(await published(process)).not.to.include(kid);
    expect(await verify(compromised, await keySet(second)).catch(({ code }) => code)).to.equal(
      "ERR_JWKS_NO_MATCHING_KEY",
    );
    expect(await signerAt(auth)).not.to.equal(kid);
    const waited = startWaiting();
    await eventually(async () => (await signerAt(second)) !== kid);
    expect(waited()).to.be.lessThan(2_500);
    await verify(await introspectSigned(second), await keySet(auth));
  });

  it("appear in the event feed when a signing key is dropped", async () => {
    const { position } = JSON.parse((await auth.callAsBank({ path: "/stop-list" })).body);
    const kid = (await signerAt(auth)) ?? "";
    await drop(kid);
    const { events } = JSON.parse((await second.callAsBank({ path: `/events?after=${position}` })).body);
    expect(events).to.have.length(1);
    expect(events[0]).to.include({ position: position + 1, kind: "signing_key_dropped", key: kid });
  });

  it("let a sign-in under way continue at every step and process when the cookie key is rotated (KEY-04)", async () => {
    let process = auth;
    const browser = openBrowser({ ...auth, browse: (call) => process.browse(call) });
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const before = (await inUse("cookie")).find(({ state }) => state === "signing")?.kid ?? "";
    const next = await rotate("cookie");
    await pass(11);
    expect([await stateOf(before), await stateOf(next.kid)]).to.deep.equal(["retired", "signing"]);
    await letProcessesLook();
    process = second;
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    await rotate("cookie");
    await pass(11);
    await letProcessesLook();
    process = auth;
    const back = await browser.follow(await browser.post(consentPage, "consent", { choice: "all" }));
    expect(String(back.headers.location)).to.match(/[?&]code=/);
  });

  it("end every sign-in that a dropped cookie key has signed, but no consent", async () => {
    token = await newToken();
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    for (const { kid } of await inUse("cookie")) await drop(kid);
    const answer = await browser.follow(await signIn(auth, browser, page));
    expect(answer.status).to.equal(404);
    expect(
      JSON.parse(Buffer.from((await introspectSigned(auth)).split(".")[1] ?? "", "base64url").toString()),
    ).to.have.nested.property("token_introspection.active", true);
    expect(String((await consent(auth, application)).searchParams.get("code"))).to.have.length.above(20);
  });

  it("are not readable in the database: no column contains a private key", async () => {
    await rotate("signing").catch(() => undefined);
    const tables = await auth.database.run<{ readonly name: string }>({
      name: "tables",
      text: "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
      values: [],
    });
    expect(tables.map(({ name }) => name)).to.include("server_key");
    let columns = 0;
    for (const { name } of tables) {
      const rows = await auth.database.run<Record<string, unknown>>({
        name: `dump-${name}`,
        text: `SELECT * FROM ${name}`,
        values: [],
      });
      for (const value of rows.flatMap((row) => Object.values(row))) {
        columns += 1;
        expect(isPrivateKey(value), `${name}: ${value}`).to.equal(false);
      }
    }
    expect(columns).to.be.greaterThan(100);
  });

  it("are listed to operators without secrets, and only operators may list or drop them", async () => {
    for (const key of await list()) {
      expect(key).to.have.all.keys(
        ...["kid", "use", "state", "announcedAt", "signsFrom", "retiresAt", "endsAt", "madeBy", "droppedBy"],
      );
    }
    for (const caller of ["resource", "auth"] as const) {
      expect((await auth.callAsBank({ path: KEYS }, caller)).status).to.equal(403);
      expect((await auth.callAsBank({ method: "POST", path: `${KEYS}/x/drop` }, caller)).status).to.equal(
        403,
      );
    }
    expect((await auth.call({ path: KEYS })).status).to.equal(404);
    expect((await auth.browse({ path: KEYS })).status).to.equal(404);
  });

  it("refuse malformed orders, a second announcement, and the drop of a key not in use (RFC 9457)", async () => {
    for (const body of [{}, [], { use: "tls" }, { use: "signing", by: "me" }])
      expect((await order("POST", KEYS, body)).status, JSON.stringify(body)).to.equal(400);
    expect((await drop("%00")).status).to.equal(400);
    await order("POST", KEYS, { use: "signing" });
    const again = await order("POST", KEYS, { use: "signing" });
    expect([again.status, JSON.parse(again.body).title]).to.deep.equal([
      409,
      "The next key is already announced",
    ]);
    const unknown = await drop("unknown");
    expect([unknown.status, JSON.parse(unknown.body).title]).to.deep.equal([404, "No such key is in use"]);
  });

  it("are rotated by age, once for all processes, without an order", async () => {
    const { kid } = (await inUse("cookie")).find(({ state }) => state === "signing") ?? { kid: "" };
    const text = "UPDATE server_key SET signs_from = signs_from - interval '31 days' WHERE kid = $1";
    await auth.database.run({ name: "age", text, values: [kid] });
    await eventually(async () => (await inUse("cookie")).some(({ state }) => state === "announced"));
    const announced = (await inUse("cookie")).filter(({ state }) => state === "announced");
    expect(announced).to.have.length(1);
    expect(announced[0]).to.include({ madeBy: null });
  });

  it("are made anew without a restart when the last one of a use has ended and no other follows", async () => {
    const text = "UPDATE server_key SET retires_at = now(), ends_at = now() WHERE use = 'signing'";
    await auth.database.run({ name: "end", text, values: [] });
    await eventually(async () => (await inUse("signing")).length === 1);
    const [made] = await inUse("signing");
    expect(made).to.include({ state: "signing", madeBy: null });
    for (const process of [auth, second]) expect(await published(process)).to.deep.equal([made?.kid]);
  });

  it("are not rotated while the database's clock is far ahead, but are once it is right again", async () => {
    const clock = await createDatabaseWithMovableClock();
    const ahead = await runAuth(ENVIRONMENT, undefined, { ownDatabase: clock.url });
    try {
      await clock.advanceDays(400);
      const text = "UPDATE server_key SET signs_from = signs_from - interval '400 days'";
      await ahead.database.run({ name: "age", text, values: [] });
      await eventually(() =>
        ahead.logLines.some(({ msg }) => msg === "the keys in use could not be reloaded"),
      );
      const made = async () =>
        (await ahead.database.run({ name: "keys", text: "SELECT FROM server_key", values: [] })).length;
      expect(await made()).to.equal(2);
      await clock.advanceDays(-400);
      await eventually(async () => (await made()) === 4);
    } finally {
      await ahead.stop();
    }
  });

  it("are imported from files at the first start, with their former key ids", async () => {
    const folder = temporaryFolder();
    const write = (name: string, value: unknown) => {
      writeFileSync(join(folder.path, name), JSON.stringify(value));
      return join(folder.path, name);
    };
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const imported = await runAuth({
      ...ENVIRONMENT,
      SIGNING_KEYS_FILE: write("signing", { keys: [{ ...(await exportJWK(privateKey)), kid: "former" }] }),
      COOKIE_KEYS_FILE: write("cookies", ["k".repeat(43)]),
    });
    try {
      expect(await published(imported)).to.deep.equal(["former"]);
    } finally {
      await imported.stop();
      folder.remove();
    }
  });
});

const SEQUENCE = 0x30;

/** Whether a value, in any encoding that a key may have, is a private key. */
function isPrivateKey(value: unknown): boolean {
  if (typeof value === "object" && value !== null && "d" in value) return true;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
  const text = bytes.toString("latin1");
  if (/"d"\s*:|PRIVATE KEY/.test(text)) return true;
  // The DER of every key begins with a SEQUENCE: OpenSSL, which takes long to refuse, is asked about nothing else.
  const encodings = [bytes, Buffer.from(text, "base64")].filter(([first]) => first === SEQUENCE);
  return encodings.some((key) => isDerOf(key, "pkcs8") || isDerOf(key, "sec1"));
}

function isDerOf(key: Buffer, type: "pkcs8" | "sec1"): boolean {
  try {
    createPrivateKey({ key, format: "der", type });
    return true;
  } catch {
    return false;
  }
}
