import { createHash } from "node:crypto";
import { runOperatorCommand } from "@cobs/auth/operator";
import { expect } from "chai";
import { freePort } from "../../support/free-port.ts";
import { openBrowser } from "../psu-browser.ts";
import { PSUS } from "../running-auth.ts";
import { type Given, type OperatorScene, openOperatorScene } from "./operator-scene.ts";

describe("Answers to operators", function noSecret() {
  this.timeout(120_000);
  let scene: OperatorScene;
  let given: Given;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const port = await freePort();
    scene = await openOperatorScene({ BANK_PORT: String(port), BANK_URL: `https://localhost:${port}` });
    const { bank, privateCaFile } = scene.auth.certificates;
    environment = {
      OPERATOR_URL: `https://localhost:${port}`,
      OPERATOR_CERTIFICATE_FILE: bank.operator.certificateFile,
      OPERATOR_KEY_FILE: bank.operator.keyFile,
      BANK_AUTHORITY_FILE: privateCaFile,
    };
    const application = await scene.register();
    given = await scene.give(application);
    await scene.refresh(given);
    await scene.code(await scene.register());
    // What ends leaves entries too.
    const ended = await scene.give(await scene.register(), "petr");
    await scene.order("POST", `/consents/${ended.consentId}/end`, { reason: "r" });
    await scene.order("POST", "/tokens/revoke", { application: application.client_id, reason: "r" });
    await scene.refresh(given);
    await openBrowser(scene.auth).get("/oauth/authorize");
  });
  after(() => scene.stop());

  /** Everything that opens something, and the hashes under which it is kept, whole. */
  function secrets(): readonly string[] {
    const { application, code, accessToken, refreshToken } = given;
    const presented = [application.client_secret, code, accessToken, refreshToken];
    const digests = presented.map((text) => createHash("sha256").update(text).digest());
    const ofPsus = PSUS.flatMap(({ password, totpSecret }) => [password, totpSecret]);
    return [
      ...presented,
      ...ofPsus,
      ...digests.flatMap((digest) => [
        digest.toString("base64url"),
        digest.toString("base64"),
        digest.toString("hex"),
      ]),
    ];
  }

  function expectNone(text: string, where: string): void {
    for (const secret of secrets()) expect(text.includes(secret), `${where} has ${secret}`).to.equal(false);
    expect(text, where).not.to.match(/PRIVATE KEY|sealed_|secret_hash|"client_secret"|"d":"/i);
  }

  it("contain no secret, code, token or whole hash of one, on any route that reads", async () => {
    const tpp = scene.auth.tpp("all-roles").organisationIdentifier;
    const { application, consentId } = given;
    const paths = [
      "/tpps",
      `/tpps/${tpp}`,
      "/applications",
      `/applications/${application.client_id}`,
      "/consents?limit=200",
      `/consents/${consentId}`,
      `/tokens?consent=${consentId}`,
      `/tokens?application=${application.client_id}`,
      "/psus/psu-jana",
      "/stop-list",
      "/stop-list/history",
      "/keys",
      "/audit?limit=200",
      "/audit/check",
      "/audit/export",
    ];
    for (const path of paths) {
      const { status, text } = await scene.order("GET", path);
      expect(status, path).to.equal(200);
      expect(text.length, path).to.be.above(10);
      expectNone(text, path);
    }
  });

  it("contain none when a command prints them, for people or as JSON", async () => {
    const { application, consentId } = given;
    const lines = [
      "tpps list",
      `tpps show ${scene.auth.tpp("all-roles").organisationIdentifier}`,
      "applications list",
      `applications show ${application.client_id}`,
      "consents list --limit 200",
      `consents show ${consentId}`,
      `tokens list --consent ${consentId}`,
      `tokens list --application ${application.client_id}`,
      "psu show psu-jana",
      "stop-list list --history",
      "keys list --history",
      "audit search --limit 200",
      "audit check",
    ];
    for (const line of [...lines, ...lines.map((each) => `${each} --json`), "audit export"]) {
      const said: string[] = [];
      const sink = { write: (text: string) => said.push(text) };
      const commandLine = line.split(" ");
      const exitCode = await runOperatorCommand({ environment, commandLine, stdout: sink, stderr: sink });
      expect(exitCode, `${line}: ${said.join("")}`).to.equal(0);
      expectNone(said.join(""), line);
    }
  });

  it("do not repeat the hash of a token that is in the order", async () => {
    const hash = createHash("sha256").update(given.refreshToken).digest("base64url");
    const { text } = await scene.order("POST", "/tokens/revoke", { hash, reason: "last of all" });
    expectNone(text, "the end of a token by its hash");
    expectNone((await scene.order("GET", "/audit?limit=50")).text, "the entry of it");
  });
});
