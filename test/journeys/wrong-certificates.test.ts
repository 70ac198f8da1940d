import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { parseTppProfile } from "../../packages/sandbox/src/certificates/tpp-profile.ts";
import type {
  DocumentedCertificate,
  ReadySandbox,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { journeySandbox, journeyTpp, logLineOf } from "./journey-sandbox.ts";

const PROFILES = readdirSync("certs")
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => parseTppProfile(JSON.parse(readFileSync(`certs/${file}`, "utf8")), file));
const WRONG = PROFILES.filter(({ wrong }) => wrong !== null);
const RIGHT = PROFILES.filter(({ wrong }) => wrong === null);

/** Nothing in an answer to a stranger may tell how the certificate was judged. */
const TELLTALE = /0\.4\.0|OpenSSL|UNABLE|CERT_|issuer|\/(src|packages)\/| at .+:\d+/;

describe("Sandbox called with any certificate", function certificates() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let document: ReadySandbox;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
  });

  async function call(
    certificate: string,
    url: string,
    sent: { method: string; body?: string; type?: string; token?: string },
  ) {
    const requestId = `certificate-${certificate}-${Math.random().toString(36).slice(2, 10)}`;
    const answer = await (await journeyTpp(certificate)).fetch(url, {
      method: sent.method,
      headers: {
        "x-request-id": requestId,
        "content-type": sent.type ?? "application/json",
        ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
      },
      body: sent.body,
      redirect: "manual",
    });
    return {
      status: answer.status,
      text: await answer.text(),
      requestId,
      challenge: answer.headers.get("www-authenticate"),
    };
  }

  const register = (certificate: string, scopes?: readonly string[]) =>
    call(certificate, `${document.auth.mutualTls}/cobs/2.0/applications`, {
      method: "POST",
      body: JSON.stringify({
        applicationType: "web",
        client_name: "Certificates",
        redirect_uris: ["https://tpp.example/cb"],
        ...(scopes && { scopes }),
      }),
    });

  const token = (certificate: string) =>
    call(certificate, `${document.auth.mutualTls}/oauth/token`, {
      method: "POST",
      type: "application/x-www-form-urlencoded",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: document.readyApplication.refreshToken,
        client_id: document.readyApplication.clientId,
        client_secret: document.readyApplication.clientSecret,
      }).toString(),
    });

  const accounts = (certificate: string) =>
    call(certificate, `${document.resourceBase}/my/accounts`, {
      method: "GET",
      token: document.readyApplication.tokens.aisp,
    });

  for (const { name, expectedRefusal, wrong } of WRONG) {
    it(`refuses ${name} at registration: ${wrong}`, async () => {
      const { status, text, requestId } = await register(name);
      expect(status).to.equal(401);
      expect(JSON.parse(text)).to.have.property("error").that.equals("access_denied");
      expect(text).to.include(expectedRefusal).and.not.to.match(TELLTALE);
      expect(JSON.stringify(await logLineOf(sandbox, "auth", requestId))).to.include(expectedRefusal);
    });

    it(`refuses ${name} at the token endpoint (RFC 6749 5.2)`, async () => {
      const { status, text, requestId } = await token(name);
      expect(status).to.equal(401);
      expect(JSON.parse(text)).to.have.property("error", "invalid_client");
      expect(text).to.include(expectedRefusal).and.not.to.match(TELLTALE);
      expect(JSON.stringify(await logLineOf(sandbox, "auth", requestId))).to.include(expectedRefusal);
    });

    it(`refuses ${name} at the resource server (COBS 2.0 1.2.10)`, async () => {
      const { status, text, requestId } = await accounts(name);
      expect(status).to.equal(401);
      expect(JSON.parse(text).errors[0].error).to.equal("UNAUTHORISED");
      expect(text).to.include(expectedRefusal).and.not.to.match(TELLTALE);
      expect(JSON.stringify(await logLineOf(sandbox, "resource", requestId))).to.include(expectedRefusal);
    });
  }

  const SCOPE_OF = { aisp: "PSP_AI", pisp: "PSP_PI" } as const;
  for (const { name, roles } of RIGHT) {
    for (const scope of ["aisp", "pisp"] as const) {
      const held = roles.includes(SCOPE_OF[scope]);
      it(`${held ? "lets" : "does not let"} ${name} register the scope ${scope} (COBS 2.0 1.4.1)`, async () => {
        const { status, text } = await register(name, [scope]);
        expect(status, text).to.equal(held ? 201 : 403);
        if (!held) expect(JSON.parse(text).error).to.equal("insufficient_scope");
      });
    }

    // Without a token the role decides for the TPP's own resources; where a PSU is concerned the token comes next.
    const resources: readonly (readonly [string, string, string, admitted: number])[] = [
      ["PSP_AI", "GET", "/my/accounts/x/balance", 401],
      ["PSP_PI", "GET", "/payments/x/status", 404],
      ["PSP_IC", "POST", "/accounts/balanceCheck", 400],
    ];
    for (const [role, method, path, admitted] of resources) {
      const held = roles.some((each) => each === role);
      it(`${held ? "admits" : "refuses"} ${name} at ${method} ${path} (COBS 2.0 1.3.1)`, async () => {
        const { status } = await call(name, `${document.resourceBase}${path}`, {
          method,
          ...(method === "POST" && { body: "{}" }),
        });
        expect(status).to.equal(held ? admitted : 403);
      });
    }
  }

  it("has certificates for every profile", () => {
    const names = document.certificates.map(({ name }: DocumentedCertificate) => name);
    expect(names).to.have.members(PROFILES.map(({ name }) => name));
  });
});
