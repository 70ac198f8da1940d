import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect } from "node:tls";
import { expect } from "chai";
import { hashClientSecret } from "../../packages/auth/src/applications/client-secret.ts";
import { eventually } from "../support/eventually.ts";
import { authorizePath, consent, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { REGISTRATION, register } from "./test-application.ts";
import { codeFor, redeem } from "./use-tokens.ts";

/** Addresses that a registration takes, with the type of their application. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ["web", "https://tpp.example"],
  ["web", "https://tpp.example:8443/a/b?c=d&e=%2F"],
  ["web", "https://localhost:7443/callback"],
  ["web", "https://127.0.0.1/callback"],
  ["web", "https://[::1]:7443/callback"],
  ["native", "http://127.0.0.1/callback"],
  ["native", "http://127.0.0.1:7000/callback"],
  ["native", "http://[::1]/callback"],
  ["native", "http://localhost/callback"],
  ["native", "cz.example.app:/callback"],
  ["native", "cz.example.app://callback/a"],
];

describe("The OAuth provider", () => {
  let auth: RunningAuth;
  const printed: unknown[] = [];
  const originals = { warn: console.warn, info: console.info, error: console.error };
  before(async () => {
    const print = (...text: unknown[]) => void printed.push(text);
    Object.assign(console, { warn: print, info: print, error: print });
    auth = await runAuth();
  });
  after(async () => {
    Object.assign(console, originals);
    await auth.stop();
  });

  for (const [applicationType, uri] of ADDRESSES) {
    it(`accepts what a registration accepts: ${applicationType} ${uri}`, async () => {
      const application = await register(auth, { applicationType, redirect_uris: [uri] });
      const back = await consent(auth, application, { request: { redirect_uri: uri } });
      expect(back.href.startsWith(uri)).to.equal(true);
      expect(
        (await redeem(auth, application, back.searchParams.get("code") ?? "", { redirect_uri: uri })).status,
      ).to.equal(200);
    });
  }

  it("accepts any port of a loopback address of a native application (RFC 8252 7.3)", async () => {
    const redirect_uris = ["http://127.0.0.1/callback"];
    const application = await register(auth, { ...REGISTRATION, applicationType: "native", redirect_uris });
    const request = { redirect_uri: "http://127.0.0.1:50123/callback" };
    expect((await consent(auth, application, { request })).port).to.equal("50123");
  });

  it("shows the PSU no host for an application on their device, because nobody owns its address", async () => {
    for (const uri of [
      "http://127.0.0.1:7000/a",
      "www.bank.example:/a",
      "cz.example.app://www.bank.example/a",
    ]) {
      const application = await register(auth, { applicationType: "native", redirect_uris: [uri] });
      const browser = openBrowser(auth);
      const asked = await browser.get(authorizePath(application, { redirect_uri: uri, ui_locales: "en" }));
      const page = await browser.follow(asked);
      expect(page.body, uri).to.contain("Cancel and return to the application<");
      const next = await browser.follow(await signIn(auth, browser, page));
      expect(next.body, uri).to.contain("You return to the application, whichever way you decide.");
    }
  });

  it("honours in sandbox mode the longer token lifetime that the sandbox gives an application", async () => {
    const application = await register(auth);
    const text = "UPDATE application SET access_token_lifetime_seconds = 86400 WHERE id = $1";
    await auth.database.run({ name: "lengthen", text, values: [application.client_id] });
    const answer = await redeem(auth, application, await codeFor(auth, application));
    expect(JSON.parse(answer.body).expires_in).to.equal(86_400);
  });

  it("logs in the line of a refused call its application, its refusal code and the detail", async () => {
    const application = await register(auth);
    const code = await codeFor(auth, application);
    await redeem(auth, application, code);
    await redeem(auth, application, code);
    const of = { application: application.client_id };
    const used = { status: 400, refusal: "invalid_grant", detail: "authorization code already consumed" };
    expect(auth.lastCall()).to.include({ ...of, route: "/oauth/token", ...used });
    const request = { prompt: "none" };
    await auth.browse({ path: authorizePath(application, request) });
    expect(auth.lastCall()).to.include({
      ...of,
      route: "/oauth/authorize",
      status: 303,
      refusal: "login_required",
    });
    expect(auth.logLines.filter(({ msg }) => String(msg).includes("refused"))).to.deep.equal([]);
  });

  it("prints no warning or notice of its own, at start or at refusals", async () => {
    const application = await register(auth);
    const code = await codeFor(auth, application);
    await redeem(auth, application, code);
    await redeem(auth, application, code);
    await auth.browse({ path: "/oauth/authorize?client_id=none" });
    expect(printed).to.deep.equal([]);
  });

  for (const [does, breakOff] of [
    ["resets the connection of", (plain: Socket) => plain.resetAndDestroy()],
    ["sends what is no TLS on the connection of", (plain: Socket) => plain.write("no record of TLS at all")],
  ] as const)
    it(`prints and logs no fault when a caller ${does} a call in progress`, async () => {
      const application = await register(auth);
      const plain = connectTcp(auth.ports.browser, "127.0.0.1");
      const socket = connect({ socket: plain, servername: "localhost", rejectUnauthorized: false });
      socket.on("error", () => {});
      await once(socket, "secureConnect");
      const waits = {
        name: "waits-for-application",
        text: `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'application'::regclass`,
        values: [],
      };
      const calls = () => auth.logLines.filter(({ msg, status }) => msg === "call" && status === 499).length;
      const before = calls();
      const isOver = () => calls() > before;
      await auth.database.transaction(async (queries) => {
        await queries.run({ name: "hold", text: "LOCK TABLE application", values: [] });
        socket.write(`GET ${authorizePath(application)} HTTP/1.1\r\nHost: localhost:8443\r\n\r\n`);
        await eventually(async () => (await queries.run(waits)).length > 0);
        breakOff(plain);
        await eventually(isOver);
      });
      expect(printed).to.deep.equal([]);
      expect(auth.logLines.filter(({ error }) => error !== undefined)).to.deep.equal([]);
    });

  it("writes neither secrets nor tokens to the log", async () => {
    const application = await register(auth);
    const answer = await redeem(auth, application, await codeFor(auth, application));
    const { access_token, refresh_token } = JSON.parse(answer.body);
    const log = JSON.stringify(auth.logLines);
    expect(log).to.contain('"route":"/oauth/token"');
    const secrets = [access_token, refresh_token, application.client_secret];
    for (const secret of [...secrets, hashClientSecret(application.client_secret)]) {
      expect(log).not.to.contain(secret);
    }
  });
});
