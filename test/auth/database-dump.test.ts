/** What a thief of the database has: nothing to use. A thief of Redis has less, and a thief of the sealing key alone nothing. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { readSealingKey } from "@cobs/auth/sandbox";
import { Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { Secret as TotpSecret } from "otpauth";
import { deriveKey, unseal } from "../../packages/auth/src/sealing/sealing.ts";
import { type DumpedCell, dumpDatabase, formsOf, placesOf, presentableOf } from "../support/database-dump.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import {
  byReference,
  type Fapi2Application,
  postAs,
  push,
  registerWithKey,
  VERIFIER,
} from "./profiles/fapi2-application.ts";
import { authorizePath, consent, openBrowser, type PsuBrowser, signIn } from "./psu-browser.ts";
import { ISSUER, PSUS, type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  postForm,
  REDIRECT_URI,
  register,
  type TestApplication,
} from "./test-application.ts";
import { isActive } from "./use-tokens.ts";

const UNLIMITED = { TOKEN_REQUESTS_PER_MINUTE: "1000000", ADDRESS_REQUESTS_PER_MINUTE: "1000000" };

describe("A stolen database", function stolenDatabase() {
  this.timeout(120_000);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let auth: RunningAuth;
  let application: TestApplication;
  let keyed: Fapi2Application;
  let dump: readonly DumpedCell[];
  /** What a holder has in hand, by what it is. */
  const held = new Map<string, string>();
  let consenting: { readonly browser: PsuBrowser; readonly path: string };

  before(async () => {
    auth = await runAuth({ ...UNLIMITED, CODE_LIFETIME_SECONDS: "600" });
    application = await register(auth);
    keyed = await registerWithKey(auth);
    await useEverything();
    dump = await dumpDatabase(auth.environment.TEST_DATABASE_URL ?? "");
  });
  after(async () => {
    agent.destroy();
    await auth.stop();
  });

  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { client_id, client_secret } = application;
    const body = new URLSearchParams({ client_id, client_secret, ...fields }).toString();
    return auth.call({ method: "POST", path, headers: FORM_BODY, body, agent });
  };
  const redeem = (code: string) =>
    post("/oauth/token", { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code });
  const refresh = (refresh_token: string) =>
    post("/oauth/token", { grant_type: "refresh_token", refresh_token });
  const codeOf = (back: URL) => back.searchParams.get("code") ?? "";
  const heldAs = (name: string) => held.get(name) ?? "";

  /** Both profiles; codes that are waiting, requests that are pushed, pages that are open, tokens that are given. */
  async function useEverything(): Promise<void> {
    const former = await register(auth);
    const path = `${APPLICATIONS}/${former.client_id}/renewSecret`;
    held.set("former secret", former.client_secret);
    held.set("renewed secret", JSON.parse((await auth.call({ method: "POST", path })).body).client_secret);
    // Its ending is told in the feed and in the audit log.
    await auth.call({ method: "DELETE", path: `${APPLICATIONS}/${former.client_id}` });
    held.set("secret", application.client_secret);
    keep("cobs", await redeem(codeOf(await consent(auth, application, { username: "jana" }))));
    held.set("code", codeOf(await consent(auth, application, { username: "petr" })));
    const request = byReference(await push(auth, keyed));
    const credentials = await keyed.credentials();
    held.set("assertion", credentials.client_assertion ?? "");
    const code = codeOf(await consent(auth, keyed, { request }));
    const fields = {
      grant_type: "authorization_code",
      redirect_uri: REDIRECT_URI,
      code,
      code_verifier: VERIFIER,
    };
    keep("fapi2", await postAs(auth, keyed, "/oauth/token", { ...fields, ...credentials }));
    const reference = await push(auth, keyed);
    held.set("pushed request", reference.split(":").at(-1) ?? "");
    await reachConsent();
    for (const { username, password, totpSecret } of PSUS) {
      held.set(`password of ${username}`, password);
      held.set(`TOTP secret of ${username}`, totpSecret);
      held.set(`TOTP secret of ${username}, in bytes`, TotpSecret.fromBase32(totpSecret).hex.toLowerCase());
    }
  }

  function keep(profile: string, { status, body }: RawAnswer): void {
    if (status !== 200) throw new Error(body);
    const { access_token, refresh_token } = JSON.parse(body);
    held.set(`${profile} access token`, access_token);
    held.set(`${profile} refresh token`, refresh_token);
  }

  /** A PSU who has signed in and looks at the consent page, and another one who is about to sign in. */
  async function reachConsent(): Promise<void> {
    const waiting = openBrowser(auth);
    await waiting.follow(await waiting.get(authorizePath(application)));
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const resumed = await browser.get(pathOf(await signIn(auth, browser, page)));
    consenting = { browser, path: pathOf(resumed) };
    const consentPage = await browser.follow(resumed);
    const cookies = [...waiting.cookies.values(), ...browser.cookies.values()];
    for (const { name, value, path } of cookies)
      held.set(`cookie ${name} ${path} ${value.slice(0, 4)}`, value);
    for (const [, name = "", value = ""] of consentPage.body.matchAll(
      /type="hidden" name="([^"]+)" value="([^"]{16,})"/g,
    ))
      held.set(`form field ${name}`, value);
  }

  const pathOf = ({ headers }: RawAnswer) => String(headers.location).replace(ISSUER, "");

  it("is searched for secrets in every encoding from which they can be read back", () => {
    const secret = randomBytes(32).toString("base64url");
    const bytes = Buffer.from(secret, "base64url");
    const stored = [
      secret,
      Buffer.from(secret).toString("hex"),
      Buffer.from(`{"token":"${secret}"}`).toString("base64"),
      Buffer.from(`{"to":"${secret}"}`).toString("base64url"),
      bytes.toString("hex"),
      bytes.toString("base64"),
      Buffer.concat([randomBytes(1), bytes, randomBytes(1)]).toString("base64url"),
    ];
    for (const text of stored)
      expect(placesOf([{ place: "there", text }], secret), text).to.deep.equal(["there"]);
    expect(formsOf(secret)).to.have.length.greaterThan(10);
  });

  it("is read whole, with the tables of tokens, consents and keys", () => {
    const tables = new Set(dump.map(({ place }) => place.split(".")[0]));
    for (const table of [
      "application",
      "audit_entry",
      "consent",
      "token",
      "ephemeral_record",
      "feed_event",
      "server_key",
      "sandbox_psu",
    ])
      expect(tables).to.include(table);
    expect(placesOf(dump, application.client_id)).to.include("application.id");
  });

  it("contains no secret, token, code, request reference, cookie or password that anybody presents", () => {
    expect(held.size).to.be.greaterThan(20);
    const found = [...held].map(([name, value]) => [
      name,
      value.length < 16 ? ["too short"] : placesOf(dump, value),
    ]);
    expect(found.filter(([, places]) => places?.length !== 0)).to.deep.equal([]);
  });

  it("contains no private key or cookie key that can be read without the sealing key", async () => {
    const text = "SELECT kid, use, sealed_secret FROM server_key WHERE sealed_secret IS NOT NULL";
    type Row = { readonly kid: string; readonly use: string; readonly sealed_secret: Buffer };
    const rows = await auth.database.run<Row>({ name: "sealed", text, values: [] });
    expect(new Set(rows.map(({ use }) => use))).to.deep.equal(new Set(["signing", "cookie"]));
    const sealingKey = readFileSync(auth.environment.SEALING_KEY_FILE ?? "", "utf8").trim();
    expect(placesOf(dump, sealingKey)).to.deep.equal([]);
    const open = (key: string, row: Row) =>
      unseal(
        deriveKey(readSealingKey(new Secret(key)), "server-keys"),
        row.sealed_secret,
        `${row.use} ${row.kid}`,
      );
    for (const row of rows) {
      const secret = Buffer.from(open(sealingKey, row)).toString("utf8");
      const parts = row.use === "signing" ? [String(JSON.parse(secret).d)] : [secret];
      for (const part of parts) expect(placesOf(dump, part)).to.deep.equal([]);
      expect(() => open(randomBytes(32).toString("base64url"), row)).to.throw();
    }
  });

  it("would start an authorization if it contained the reference of a pushed request", async () => {
    // At once, because it lives for a minute; beginning does not use it up.
    const request = byReference(`urn:ietf:params:oauth:request_uri:${heldAs("pushed request")}`);
    expect((await openBrowser(auth).get(authorizePath(keyed, request))).status).to.equal(303);
  });

  it("gives no access, whatever of it is presented as a credential", async function opensNothing() {
    // Hundreds of calls: that they never end is what it is for.
    this.timeout(600_000);
    const candidates = presentableOf(dump);
    expect(candidates.length).to.be.greaterThan(50);
    const accepted: string[] = [];
    const note = (isRefused: boolean, as: string, candidate: string) => {
      if (!isRefused) accepted.push(`${candidate} as ${as}`);
    };
    await inTurns(candidates, async (candidate) => {
      note(!(await isActive(auth, candidate)), "access token", candidate);
      note((await redeem(candidate)).status === 400, "code", candidate);
      note((await refresh(candidate)).status === 400, "refresh token", candidate);
      const stolen = { ...application, client_secret: candidate };
      note((await postForm(auth, "/oauth/token", stolen, {})).status === 401, "secret", candidate);
      const request_uri = candidate.includes(":")
        ? candidate
        : `urn:ietf:params:oauth:request_uri:${candidate}`;
      const begun = await auth.browse({ path: authorizePath(keyed, byReference(request_uri)), agent });
      note(begun.status === 400, "pushed request", candidate);
      note((await showCookies(candidate)) !== 200, "cookie", candidate);
    });
    expect(accepted).to.deep.equal([]);
  });

  it("would give access if it contained the tokens, codes and cookies of their holders", async () => {
    const { browser, path } = consenting;
    expect((await browser.get(path)).status).to.equal(200);
    expect(await isActive(auth, heldAs("cobs access token"))).to.equal(true);
    expect((await refresh(heldAs("cobs refresh token"))).status).to.equal(200);
    expect((await redeem(heldAs("code"))).status).to.equal(200);
  });

  /** The page of the PSU who is signed in, asked for with cookies of which the thief knows no signature. */
  async function showCookies(candidate: string): Promise<number> {
    const names = [...consenting.browser.cookies.values()].map(({ name }) => name);
    const cookie = [...new Set(names)].map((name) => `${name}=${candidate}`).join("; ");
    return (await auth.browse({ path: consenting.path, headers: { cookie }, agent })).status;
  }
});

/** A few at once. */
async function inTurns<T>(values: readonly T[], act: (value: T) => Promise<void>): Promise<void> {
  const rest = [...values];
  const work = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await act(next);
  };
  await Promise.all([work(), work(), work(), work()]);
}
