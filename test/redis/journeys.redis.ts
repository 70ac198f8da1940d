import { join } from "node:path";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { forgetUsedCodes } from "../journeys/journey-sandbox.ts";
import { authorizePlainly, refreshForm } from "../journeys/plain-authorization.ts";
import { postTokenForm } from "../journeys/post-token-form.ts";
import { type SecondAuth, startSecondAuth } from "../journeys/second-auth.ts";
import { eventually } from "../support/eventually.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openTppClient, type TppClient } from "../support/tpp-client.ts";

const RECOVERY_LIMIT_MILLISECONDS = 60_000;

describe("Both servers with Redis, as separate processes", function pairWithRedis() {
  this.timeout(240_000);
  const folder = temporaryFolder();
  const copy = join(folder.path, "copy.rdb");
  let redis: RedisServer;
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  let second: SecondAuth;
  let tpp: TppClient;
  let application: TppApplication;
  before(async () => {
    redis = await startRedis();
    sandbox = await startSandbox({ REDIS_URL: redis.url });
    document = await sandbox.document();
    second = await startSecondAuth(sandbox);
    tpp = await openTppClient(document, "all-roles");
    application = await tpp.register();
  });
  after(async () => {
    await tpp?.close();
    await second?.stop();
    await sandbox?.stop();
    await redis?.stop();
    folder.remove();
  });
  beforeEach(() => forgetUsedCodes(document));

  const readAccounts = async (accessToken: string) => (await tpp.get(accessToken, "/my/accounts")).status;
  /** A form that redeems a code, as soon as a PSU can sign in. */
  async function authorizeEventually(): Promise<Readonly<Record<string, string>>> {
    let form: Readonly<Record<string, string>> | undefined;
    await eventually(async () => {
      await forgetUsedCodes(document);
      form = await authorizePlainly(document, application, "petr").catch(() => undefined);
      return form !== undefined;
    }, RECOVERY_LIMIT_MILLISECONDS);
    if (form === undefined) throw new TypeError("it was given a moment ago");
    return form;
  }

  it("lose no token or code with Redis, and sign PSUs in when it is there again", async () => {
    const tokens = await tpp.authorize(application, { psu: "jana" });
    const form = await authorizePlainly(document, application, "petr");
    await redis.kill();
    await rejectionOf(authorizePlainly(document, application, "petr"));
    expect(await readAccounts(tokens.accessToken)).to.equal(200);
    const refresh = refreshForm(application, tokens.refreshToken ?? "");
    for (const base of [document.auth.mutualTls, second.mutualTls])
      expect((await postTokenForm(tpp, base, refresh)).status).to.equal(200);
    expect((await postTokenForm(tpp, second.mutualTls, form)).status).to.equal(200);
    await redis.start();
    const again = await authorizeEventually();
    expect((await postTokenForm(tpp, second.mutualTls, again)).status).to.equal(200);
  });

  it("revive no code, token or consent with an old copy", async () => {
    const form = await authorizePlainly(document, application, "petr");
    await redis.save(copy);
    const first = await postTokenForm(tpp, document.auth.mutualTls, form);
    expect(first.status).to.equal(200);
    const tokens = await tpp.oauth(application);
    await tokens.revoke(String(first.body.refresh_token));
    await redis.kill();
    await redis.start(copy);
    await authorizeEventually();
    for (const base of [document.auth.mutualTls, second.mutualTls]) {
      expect((await postTokenForm(tpp, base, form)).body.error).to.equal("invalid_grant");
      const refresh = refreshForm(application, String(first.body.refresh_token));
      expect((await postTokenForm(tpp, base, refresh)).body.error).to.equal("invalid_grant");
    }
    expect(await readAccounts(String(first.body.access_token))).to.equal(401);
  });

  it("go on after Redis was emptied", async () => {
    await redis.client.flushall();
    const form = await authorizeEventually();
    expect((await postTokenForm(tpp, document.auth.mutualTls, form)).status).to.equal(200);
  });
});
