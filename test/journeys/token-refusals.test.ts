import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { Tokens, TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { eventually } from "../support/eventually.ts";
import { send } from "../support/raw-https.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, logLineOf, runSql } from "./journey-sandbox.ts";

describe("Access token at the resource server", function tokens() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  let tpp: TppClient;
  let application: TppApplication;
  let given: Tokens;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
    tpp = await journeyTpp("all-roles");
    await forgetUsedCodes(document);
    application = await tpp.register();
    given = await tpp.authorize(application, { psu: "petr" });
  });

  async function call(certificate: string, headers: Readonly<Record<string, string>>, path = "/my/accounts") {
    const requestId = `token-${randomBytes(6).toString("hex")}`;
    const answer = await (await journeyTpp(certificate)).fetch(`${document.resourceBase}${path}`, {
      method: "GET",
      headers: { ...headers, "x-request-id": requestId },
      body: undefined,
      redirect: "manual",
    });
    const challenge = answer.headers.get("www-authenticate") ?? "";
    const body = JSON.parse(await answer.text());
    return { status: answer.status, challenge, body, log: await logLineOf(sandbox, "resource", requestId) };
  }

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function expectRefused(
    refused: Awaited<ReturnType<typeof call>>,
    refusal: string,
    error: string | undefined,
  ) {
    expect(refused.status).to.equal(401);
    expect(refused.body.errors).to.have.length(1);
    expect(refused.body.errors[0]).to.include({ error: "UNAUTHORISED" });
    expect(refused.challenge).to.match(/^Bearer/);
    if (error === undefined) expect(refused.challenge).not.to.include("error=");
    else expect(refused.challenge).to.include(`error="${error}"`);
    expect(JSON.stringify(refused.log)).to.include(refusal);
  }

  it("works with its certificate", async () => {
    expect((await call("all-roles", bearer(given.accessToken))).status).to.equal(200);
    expect((await call("all-roles", { authorization: `bearer ${given.accessToken}` })).status).to.equal(200);
  });

  it("is required, with a challenge that has no error code when it is missing (RFC 6750 3)", async () => {
    await expectRefused(await call("all-roles", {}), "token_absent", undefined);
  });

  it("is refused without a certificate (RFC 8705 3)", async () => {
    const answer = await send({
      port: Number(new URL(document.resource.mutualTls).port),
      path: "/cobs/2.0/my/accounts",
      ca: readFileSync(document.ca),
      headers: { host: new URL(document.resource.mutualTls).host, ...bearer(given.accessToken) },
    });
    expect(answer.status).to.equal(401);
    expect(JSON.parse(answer.body).errors[0].error).to.equal("UNAUTHORISED");
    expect(answer.headers["www-authenticate"]).to.match(/^Bearer/);
  });

  for (const other of ["aisp", "all-roles-renewed", "second-tpp"]) {
    it(`is refused with the certificate ${other} (RFC 8705 3)`, async () => {
      const refused = await call(other, bearer(given.accessToken));
      await expectRefused(refused, "token_bound_to_other_certificate", "invalid_token");
    });
  }

  it("is refused in the query, also beside the header (FAPI 2.0 5.3.4, RFC 6750 2)", async () => {
    const path = `/my/accounts?access_token=${given.accessToken}`;
    await expectRefused(await call("all-roles", {}, path), "token_in_query", "invalid_token");
    await expectRefused(
      await call("all-roles", bearer(given.accessToken), path),
      "token_repeated",
      "invalid_token",
    );
  });

  it("is refused when it is made up, or a refresh token", async () => {
    const madeUp = randomBytes(32).toString("base64url");
    await expectRefused(await call("all-roles", bearer(madeUp)), "token_inactive", "invalid_token");
    const refresh = await call("all-roles", bearer(given.refreshToken ?? ""));
    expect(refresh.status).to.equal(401);
  });

  for (const [what, token] of [
    ["longer than the standard allows", "a".repeat(1_018)],
    ["of characters that no token has", "a,b;c"],
    ["a JWT without signature", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."],
  ] as const) {
    it(`is refused when it is ${what}`, async () => {
      const { status, body } = await call("all-roles", bearer(token));
      expect(status).to.equal(401);
      expect(body.errors[0].error).to.equal("UNAUTHORISED");
    });
  }

  it("is refused after its end (RFC 6749 5.1, A-15)", async () => {
    const short = await tpp.register();
    await runSql(
      document.databases.auth,
      "UPDATE application SET access_token_lifetime_seconds = 3 WHERE id = $1",
      [short.clientId],
    );
    let token = "";
    // On a busy machine one may be over before it is shown for the first time.
    await eventually(async () => {
      await forgetUsedCodes(document);
      token = (await tpp.authorize(short, { psu: "jana" })).accessToken;
      return (await call("all-roles", bearer(token))).status === 200;
    });
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    await expectRefused(await call("all-roles", bearer(token)), "token_inactive", "invalid_token");
  });

  it("never opens another PSU's account, even when a consent names it (RS-09)", async () => {
    const foreign = document.psus.find(({ username }) => username === "jana")?.accounts[0]?.id ?? "";
    await forgetUsedCodes(document);
    const widened = await tpp.register();
    const tokens = await tpp.authorize(widened, { psu: "petr" });
    const rows = await runSql(
      document.databases.auth,
      "UPDATE consent SET account_ids = account_ids || $1::text WHERE application_id = $2 RETURNING id",
      [foreign, widened.clientId],
    );
    expect(rows).to.have.length(1);
    const listed = await call("all-roles", bearer(tokens.accessToken));
    expect(listed.status).to.equal(200);
    expect(listed.body.totalCount).to.equal(2);
    expect(JSON.stringify(listed.body)).not.to.include(foreign);
  });
});
