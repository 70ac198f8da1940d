import { expect } from "chai";
import { openTppMemory } from "../../../packages/sandbox/src/tpp/tpp-memory.ts";
import { forgetUsedCodes, journeySandbox } from "../../journeys/journey-sandbox.ts";
import type { TestSandbox } from "../../support/sandbox.ts";

const REFRESH = "npm run tpp -- refresh";
const AUTHORIZE = "npm run tpp -- authorize";

describe("TPP command line whose access token is refused", function refusedToken() {
  this.timeout(120_000);
  let sandbox: TestSandbox;

  before(async () => {
    sandbox = await journeySandbox();
    await forgetUsedCodes(await sandbox.document());
    await json("register", "--name", "Refused", "--scope", "aisp,pisp");
    await json("authorize", "--psu", "petr");
  });

  async function json(...commandLine: readonly string[]) {
    const { exitCode, stdout, stderr } = await sandbox.tpp(...commandLine, "--json");
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout);
  }

  /** The error of a command that a server refuses. */
  async function refusalOf(...commandLine: readonly string[]) {
    const { exitCode, stdout } = await sandbox.tpp(...commandLine, "--json");
    expect(exitCode, stdout).to.equal(3);
    return JSON.parse(stdout);
  }

  it("is led to its refresh token while it has one, and else to the PSU (RFC 6750 3.1)", async () => {
    await json("revoke", "--access-token-only");
    const refused = await refusalOf("accounts");
    expect(refused.message).to.include("401: UNAUTHORISED");
    expect(refused.errors).to.have.length(1);
    expect(refused.hint).to.include(REFRESH).and.to.include(AUTHORIZE);
    await json("refresh");
    await json("accounts");
    await json("revoke");
    for (const command of [["accounts"], ["payment", "no-payment"]])
      expect((await refusalOf(...command)).hint)
        .to.include("there is no refresh token")
        .and.to.include(AUTHORIZE)
        .and.not.include(REFRESH);
  });

  it("is led nowhere when another token would not help", async () => {
    await json("authorize", "--psu", "petr");
    for (const certificate of ["all-roles-renewed", "wrong-expired"])
      expect(await refusalOf("accounts", "--certificate", certificate), certificate).to.not.have.property(
        "hint",
      );
    expect(await refusalOf("balance", "no-account")).to.not.have.property("hint");
  });

  it("is led to the PSU when its refresh token is refused, and to its applications when it is refused itself (RFC 6749 5.2)", async () => {
    const memory = openTppMemory(sandbox.directory, null);
    const application = await memory.application();
    await memory.keep({ ...application, tokens: { accessToken: "ended", refreshToken: "ended" } });
    const ofToken = await refusalOf("refresh");
    expect(ofToken.message).to.include("400: invalid_grant");
    expect(ofToken.hint).to.include(AUTHORIZE);
    await memory.keep({ ...application, clientId: "ended" });
    const ofApplication = await refusalOf("refresh");
    await memory.keep(application);
    expect(ofApplication.message).to.include("401: invalid_client");
    expect(ofApplication.hint)
      .to.include("npm run tpp -- applications")
      .and.include("npm run tpp -- register");
  });
});
