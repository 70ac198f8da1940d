import { expect } from "chai";
import type { TppApplication } from "../../../packages/sandbox/src/tpp/oauth-client.ts";
import { until } from "../../support/eventually.ts";
import { type ProgramRun, runProgram } from "../../support/program.ts";
import type { TppClient } from "../../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "../journey-sandbox.ts";
import { refreshForm } from "../plain-authorization.ts";
import { postTokenForm } from "../post-token-form.ts";
import { untilRefused } from "../until-refused.ts";
import { useSecondAuth } from "./second-services.ts";

const CERTIFICATE = "second-tpp";

describe("TPP that the operator blocks with the command", function blockedTpp() {
  this.timeout(120_000);
  let tpp: TppClient;
  const second = useSecondAuth();
  let application: TppApplication;
  let environment: Readonly<Record<string, string>>;
  let organisation: string;
  before(async () => {
    const sandbox = await journeySandbox();
    const document = await sandbox.document();
    tpp = await journeyTpp(CERTIFICATE);
    application = await tpp.register(["aisp"]);
    organisation =
      document.certificates.find(({ name }) => name === CERTIFICATE)?.organisationIdentifier ?? "";
    environment = {
      OPERATOR_URL: document.auth.bank,
      OPERATOR_CERTIFICATE_FILE: document.bankClients.operator.certificate,
      OPERATOR_KEY_FILE: document.bankClients.operator.key,
      BANK_AUTHORITY_FILE: document.privateCa,
    };
    await forgetUsedCodes(document);
  });
  after(async () => {
    await operator("release").catch(() => undefined);
  });

  const operator = (act: "block" | "release"): Promise<ProgramRun> => {
    const line = ["stop-list", act, "--tpp", organisation, "--reason", "a journey of the tests"];
    return runProgram("packages/auth/src/operator/main.ts", line, environment);
  };
  const listAt = async (auth: string) => {
    const url = `${auth}/cobs/2.0/applications`;
    const answer = await tpp.fetch(url, { method: "GET", headers: {}, body: undefined, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  };

  it("is refused at once by both processes of auth, soon by resource, and regains its tokens on release", async () => {
    const { auth } = await (await journeySandbox()).document();
    const tokens = await tpp.authorize(application, { psu: "jana", scope: "aisp" });
    const accounts = async () => (await tpp.get(tokens.accessToken, "/my/accounts")).status;
    const refresh = async () =>
      (await postTokenForm(tpp, auth.mutualTls, refreshForm(application, tokens.refreshToken ?? ""))).status;
    const everywhere = async () => [
      await listAt(auth.mutualTls),
      await listAt(second().mutualTls),
      await refresh(),
      await accounts(),
    ];
    expect(await everywhere()).to.deep.equal([200, 200, 200, 200]);

    const blocked = await operator("block");
    expect(blocked, blocked.stderr).to.include({ exitCode: 0 });
    expect([await listAt(auth.mutualTls), await listAt(second().mutualTls), await refresh()]).to.deep.equal([
      401, 401, 401,
    ]);
    // Resource asks every second; however slow the machine is, it never goes by a list that is much older.
    await untilRefused(accounts);

    const released = await operator("release");
    expect(released, released.stderr).to.include({ exitCode: 0 });
    expect([await listAt(auth.mutualTls), await listAt(second().mutualTls), await refresh()]).to.deep.equal([
      200, 200, 200,
    ]);
    await until(async () => (await accounts()) === 200, "the TPP is served again");
  });
});
