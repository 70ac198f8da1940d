import { once } from "node:events";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { authorizeAsPsu } from "../../../packages/sandbox/src/tpp/authorize-as-psu.ts";
import { runCommandLine } from "../../../packages/sandbox/src/tpp/run-command-line.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { forgetUsedCodes, journeySandbox } from "../../journeys/journey-sandbox.ts";
import { runProgram, startProgram } from "../../support/program.ts";
import type { TestSandbox } from "../../support/sandbox.ts";

interface ToldBalance {
  readonly type: { readonly codeOrProprietary: { readonly code: string } };
  readonly amount: { readonly value: number; readonly currency: string };
}

const isInEuros = ({ currency }: ToldBalance["amount"]) => currency === "EUR";

const TPP = "packages/sandbox/src/tpp/main.ts";

describe("TPP command line", function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;

  /** Runs a command that succeeds, and reads its JSON. */
  async function json(...commandLine: readonly string[]) {
    const { exitCode, stdout, stderr } = await sandbox.tpp(...commandLine, "--json");
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout);
  }

  /** Runs a command as a process of its own, as npm does. */
  const asProgram = (...commandLine: readonly string[]) => runProgram(TPP, commandLine, sandbox.environment);

  before(async () => {
    sandbox = await journeySandbox();
  });
  beforeEach(async () => forgetUsedCodes(await sandbox.document()));

  it("shows the whole life of an application in one command, and leaves no application behind", async () => {
    const { exitCode, stdout, stderr } = await asProgram("demo", "--psu", "petr", "--json");
    expect(exitCode, stderr).to.equal(0);
    const { steps, accounts, milliseconds } = JSON.parse(stdout);
    expect(accounts.accounts).to.have.lengthOf(2);
    expect(steps.at(-2).outcome).to.include("401");
    expect(milliseconds).to.be.above(0);
    const names = (await json("applications")).map((each: { client_name: string }) => each.client_name);
    expect(names).to.not.include("Demo application");
  });

  it("leaves no application behind when it is interrupted, however often, and says so", async () => {
    const running = startProgram(TPP, ["demo", "--psu", "petr"], sandbox.environment);
    await running.says("stdout", /4\. The TPP/);
    for (const _press of [1, 2]) running.child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await running.ended();
    expect([exitCode, stderr]).to.deep.equal([130, "interrupted: the demo application is removed\n"]);
    expect(stdout).to.include("The TPP deletes the application");
    const names = (await json("applications")).map((each: { client_name: string }) => each.client_name);
    expect(names).to.not.include("Demo application");
  });

  it("does nothing more in a demo that is interrupted than to remove its application", async () => {
    const told: string[] = [];
    let interrupt = () => {};
    const exitCode = await runCommandLine(["demo", "--psu", "petr"], {
      directory: sandbox.directory,
      whenInterrupted: (end) => {
        interrupt = end;
      },
      say: (text) => {
        told.push(text);
        if (text.startsWith("\n3.")) interrupt();
      },
      complain: () => {},
    });
    expect(exitCode).to.equal(130);
    // What was under way is over by then.
    await setTimeout(500);
    expect(told).to.have.length(4);
    expect(told[3]).to.match(/^\n4\. The TPP deletes the application/);
  });

  it("accepts no option twice: of two tokens or payees, the first would be lost", async () => {
    const { exitCode, stdout } = await sandbox.tpp(
      "accounts",
      "--certificate",
      "aisp",
      "--certificate=qwac",
      "--json",
    );
    expect(exitCode).to.equal(2);
    expect(JSON.parse(stdout)).to.include({
      error: "usage",
      message: "--certificate may be given only once",
    });
  });

  it("collects the values of an option that takes several, wherever it is given", async () => {
    const name = "Of two scopes";
    await json("register", "--name", name, "--scope", "aisp", "--scope=pisp");
    const registered: readonly Record<string, unknown>[] = await json("applications");
    const own = registered.find(({ client_name }) => client_name === name);
    expect(own?.scopes).to.have.members(["aisp", "pisp"]);
  });

  it("registers no application whose secret it could not store", async () => {
    const { directory } = await sandbox.document();
    const [folder, kept] = [`${directory}/tpp`, `${directory}/tpp-before`];
    await json("register", "--name", "Kept");
    await rename(folder, kept);
    await writeFile(folder, "no folder");
    const { exitCode, stderr } = await sandbox.tpp("register", "--name", "Not kept");
    await rm(folder);
    await rename(kept, folder);
    expect([exitCode, stderr.includes(folder)], stderr).to.deep.equal([1, true]);
    const names = (await json("applications")).map((each: { client_name: string }) => each.client_name);
    expect(names).to.include("Kept").and.not.include("Not kept");
  });

  it("reads and pays with the sandbox's ready application, without a registration", async () => {
    const { clientId, psu } = (await sandbox.document()).readyApplication;
    const asReady = ["--application", clientId];
    const { accounts } = await json("accounts", ...asReady);
    const [{ id, identification }] = accounts;
    expect((await json("balance", id, ...asReady)).balances).to.be.an("array").that.is.not.empty;
    const order = `--from ${identification.iban} --to CZ6508000000192000145399 --amount 1 --currency CZK`;
    const payment = await json("pay", ...order.split(" "), ...asReady);
    const signed = await json("sign", payment.transactionIdentification, "--psu", psu, ...asReady);
    expect(signed).to.include({ state: "DONE" });
  });

  it("reads the balance and the newest transactions of the first account in it (COBS 3.1.4, 3.1.5)", async () => {
    const { accounts, balances, transactions } = await json("demo", "--psu", "marie");
    const codes = balances.balances.map((each: ToldBalance) => each.type.codeOrProprietary.code);
    expect(codes).to.include.members(["CLAV", "ITBD", "PRCD"]);
    expect(transactions.transactions).to.have.lengthOf(5);
    expect(transactions.totalCount).to.be.above(50);
    expect(accounts.accounts[0].currency).to.equal(transactions.transactions[0].amount.currency);
  });

  it("shows the demo in profile fapi2 too: no secret, a pushed request, and nothing left behind", async () => {
    const { steps, accounts } = await json("demo", "--psu", "jana", "--profile", "fapi2");
    expect(accounts.accounts).to.have.length.greaterThan(0);
    expect(steps[0].outcome).to.include("no secret");
    expect(steps[1].sent).to.include("/oauth/par");
    expect(steps[2].sent).to.match(/\?client_id=…&request_uri=…, and nothing else$/);
    expect(steps.at(-2).outcome).to.include("401");
  });

  it("keeps for later commands the key or certificate with which a fapi2 application authenticates", async () => {
    const withKey = await json("register", "--profile", "fapi2");
    expect(withKey).not.to.have.property("clientSecret");
    expect(withKey.privateKey).to.include({ kty: "EC", crv: "P-256" });
    const application = await json("register", "--profile", "fapi2", "--auth", "tls_client_auth");
    expect(application).to.include({ privateKey: null });
    await json("authorize", "--psu", "firma");
    expect((await json("refresh")).accessToken).to.be.a("string");
    expect(await json("revoke")).to.deep.equal({ revoked: "refresh_token" });
  });

  it("prints the accounts as a table in the demo for people, and no secret in full", async () => {
    const { exitCode, stdout } = await asProgram("demo", "--psu", "petr");
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(/IBAN +number +currency/);
    expect(stdout.match(/(?:client_secret|token|code) [\w-]{7,}/g)).to.equal(null);
  });

  it("goes the same way command by command, and shows a revoked token refused (RFC 7009)", async () => {
    const application = await json("register", "--name", "Step by step", "--scope", "aisp,pisp");
    const [first] =
      (await sandbox.document()).psus.find(({ username }) => username === "firma")?.accounts ?? [];
    await json("authorize", "--psu", "firma", "--accounts", first?.id ?? "");
    const list = await json("accounts", "--size", "1", "--language", "en");
    expect(list).to.include({ totalCount: 1 });
    expect(list.accounts[0]).to.include({ id: first?.id, nameI18N: first?.name });
    expect((await json("refresh", "--scope", "aisp")).scope).to.equal("aisp");
    expect(await json("revoke")).to.deep.equal({ revoked: "refresh_token" });
    const refused = await sandbox.tpp("accounts", "--application", application.clientId);
    expect(refused.exitCode).to.equal(3);
    expect(refused.stderr)
      .to.include("401")
      .and.to.include("UNAUTHORISED")
      .and.to.include("no refresh token. Get both with: npm run tpp -- authorize");
    for (const command of ["refresh", "revoke"]) {
      const without = await sandbox.tpp(command, "--application", application.clientId);
      expect(without, command).to.include({ exitCode: 5, stdout: "" });
      expect(without.stderr).to.include("no refresh token").and.to.include("npm run tpp -- authorize");
    }
    expect(await json("revoke", "--access-token-only")).to.deep.equal({ revoked: "access_token" });
  });

  it("ends with 5 when the PSU was not yet asked for consent", async () => {
    const { clientId } = await json("register", "--scope", "aisp");
    for (const command of ["accounts", "refresh", "revoke"]) {
      const without = await sandbox.tpp(command, "--application", clientId);
      expect(without, command).to.include({ exitCode: 5, stdout: "" });
      expect(without.stderr).to.include("npm run tpp -- authorize");
    }
  });

  it("reads balances and transactions of an account in several currencies, for programs and for people", async () => {
    await json("register", "--scope", "aisp");
    await json("authorize", "--psu", "jana");
    const [account] = (await json("accounts")).accounts;
    const { balances } = await json("balance", account.id);
    const currencies = balances.map((each: ToldBalance) => each.amount.currency);
    expect([...new Set(currencies)]).to.deep.equal(["CZK", "EUR", "USD"]);
    const inEuros = await json("balance", account.id, "--currency", "EUR");
    expect(inEuros.balances.map((each: ToldBalance) => each.amount)).to.deep.equal(
      balances.map((each: ToldBalance) => each.amount).filter(isInEuros),
    );
    const list = await json("transactions", account.id, "--size", "3", "--sort", "amount", "--order", "desc");
    const amounts = list.transactions.map((each: ToldBalance) => each.amount.value);
    expect(amounts).to.deep.equal(amounts.toSorted((one: number, other: number) => other - one));
    const shown = await sandbox.tpp("transactions", account.id, "--size", "2", "--language", "en");
    expect(shown.stdout).to.match(/date +amount +with, or where +what/);
    expect(shown.stdout).to.match(/\d{4}-\d\d-\d\d +(?:pending +)?-?[\d,]+\.\d\d CZK/);
    expect((await sandbox.tpp("balance", account.id)).stdout).to.match(/CLAV +available +[\d,]+\.\d\d CZK/);
    const unknown = await sandbox.tpp("transactions", account.id, "--currency", "GBP");
    expect([unknown.exitCode, unknown.stderr.includes("AC09")]).to.deep.equal([3, true]);
  });

  it("waits at its callback for a browser, with the sandbox's certificate", async () => {
    await json("register");
    const document = await sandbox.document();
    const waiting = startProgram(TPP, ["authorize"], sandbox.environment);
    const url = new URL(await waiting.says("stdout", /^https:\S+$/m));
    const context = {
      sandbox: document,
      usedSteps: openUsedSteps(usedStepsFile(sandbox.directory)),
      tell: () => {},
    };
    const redirectUri = `https://localhost:${document.callback.port}/callback`;
    const back = await authorizeAsPsu(context, { url, redirectUri, username: "jana", accounts: "all" });
    const ca = await readFile(document.ca);
    for (const path of ["//[", "/", "*"]) {
      const strange = { host: "localhost", port: document.callback.port, path, ca };
      expect((await once(get(strange), "response"))[0].statusCode, path).to.equal(404);
    }
    const [page] = await once(get(back, { ca }), "response");
    expect(page.statusCode).to.equal(200);
    expect(await waiting.ended()).to.include({ exitCode: 0 });
  });

  it("gives up a browser that does not return in time, and says how to wait longer", async () => {
    const { exitCode, stderr } = await sandbox.tpp("authorize", "--timeout", "1");
    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 5,
      stderr: "the browser did not return within 1 s\nTo wait longer: --timeout SECONDS\n",
    });
  });

  it("does not wait for a browser that returns to another machine", async () => {
    await json("register", "--redirect-uri", "https://tpp.example/callback");
    const run = await sandbox.tpp("authorize", "--timeout", "1");
    expect([run.exitCode, run.stdout]).to.deep.equal([2, ""]);
    expect(run.stderr).to.include("https://tpp.example/callback").and.to.include("--psu");
    await json("authorize", "--psu", "jana");
  });

  it("consents as the PSU whom an external TPP has sent to the bank, and says where the browser returns", async () => {
    const redirectUri = "https://tpp.example/callback";
    const { clientId: client_id } = await json("register", "--redirect-uri", redirectUri);
    const request = {
      response_type: "code",
      client_id,
      redirect_uri: redirectUri,
      state: "s t",
      scope: "aisp",
    };
    const { issuer } = await sandbox.document();
    const told = await json("psu", "jana", `${issuer}/oauth/authorize?${new URLSearchParams(request)}`);
    const callback = new URL(told.callback);
    expect(callback.origin + callback.pathname).to.equal(redirectUri);
    expect(callback.searchParams.get("state")).to.equal("s t");
    expect(callback.searchParams.get("code")).to.be.a("string");
    const elsewhere = new URLSearchParams({ ...request, redirect_uri: `${redirectUri}/` });
    const refused = await sandbox.tpp("psu", "jana", `${issuer}/oauth/authorize?${elsewhere}`);
    expect(refused.exitCode, refused.stderr).to.equal(5);
    expect(refused.stderr).to.contain(
      "redirect_uri must be identical to one that the application has registered",
    );
  });

  it("suggests a next command for which the tokens are valid", async () => {
    await json("register", "--name", "Paying", "--certificate", "pisp");
    const { stdout } = await sandbox.tpp("authorize", "--psu", "jana");
    expect(stdout).to.match(/\nNext: npm run tpp -- pay --help\n$/);
  });

  it("redeems a code at a redirect URI that has a query (RFC 6749 4.1.3)", async () => {
    const { callback } = await sandbox.document();
    await json("register", "--redirect-uri", `https://localhost:${callback.port}/callback?tenant=1`);
    expect((await json("authorize", "--psu", "jana")).accessToken).to.be.a("string");
  });

  for (const [commandLine, exitCode, words] of [
    ["register --certificate nosuch", 2, "all-roles-renewed"],
    ["register --certificate wrong-expired", 3, "access_denied"],
    ["authorize --psu nobody --application nosuch", 2, "npm run tpp -- register"],
    ["code nobody", 2, "jana"],
    ["demo --psu nobody", 2, "jana"],
    ["psu jana https://tpp.example/", 2, "They begin with https://localhost:"],
    ["psu jana /oauth/authorize", 2, "They begin with https://localhost:"],
    ["nosuch", 2, "unknown command"],
    ["register --auth tls_client_auth", 2, "--profile fapi2"],
    ["demo --profile cobs --auth private_key_jwt", 2, "--profile fapi2"],
    ["authorize --timeout soon", 2, "whole number"],
    ["authorize --accounts one", 2, "--accounts needs --psu"],
    ["authorize --psu hana", 2, "hana has no authenticator app"],
    ["code hana", 2, "npm start says how"],
    ["sign nosuch --timeout 0", 2, "whole number"],
    ["sign nosuch --timeout 2147484", 2, "whole number"],
  ] as const) {
    it(`ends \`${commandLine}\` with ${exitCode} and says what to do`, async () => {
      const run = await sandbox.tpp(...commandLine.split(" "));
      expect(run.exitCode).to.equal(exitCode);
      expect(run.stderr).to.include(words);
      expect(run.stdout).to.equal("");
    });
  }

  for (const [commandLine, exitCode, error, words] of [
    ["register --certificate nosuch", 2, "usage", "nosuch"],
    ["register --certificate wrong-expired", 3, "refused", "access_denied"],
    ["nosuch", 2, "usage", "unknown command 'nosuch'"],
    ["pay", 2, "usage", "required option '--from <iban>' not specified"],
    ["help nosuch", 2, "usage", "no command was given"],
  ] as const) {
    it(`explains with --json why \`${commandLine}\` ends with ${exitCode}, in a single object`, async () => {
      const run = await sandbox.tpp(...commandLine.split(" "), "--json");
      expect(run).to.include({ exitCode, stderr: "" });
      const told = JSON.parse(run.stdout);
      expect(told).to.include({ error });
      expect(told.message).to.include(words);
      expect(told.message).to.not.include("error:");
    });
  }

  it("gives with --json the same hint as for people, and help on request", async () => {
    const { stdout } = await sandbox.tpp("register", "--certificate", "nosuch", "--json");
    expect(JSON.parse(stdout).hint).to.include("all-roles-renewed");
    const help = await sandbox.tpp("accounts", "--help", "--json");
    expect(help).to.include({ exitCode: 0, stderr: "" });
    expect(help.stdout).to.match(/\{error,\s+message,\s+hint\}/);
  });

  it("passes npm its exit code, and says what to do on standard error", async () => {
    const run = await asProgram("register", "--certificate", "wrong-expired");
    expect(run).to.include({ exitCode: 3, stdout: "" });
    expect(run.stderr).to.include("access_denied");
  });

  it("says that no sandbox runs where there is none", async () => {
    const nowhere = await runProgram(TPP, ["demo"], { SANDBOX_DIRECTORY: `${sandbox.directory}-nowhere` });
    expect(nowhere).to.include({ exitCode: 4, stdout: "" });
    expect(nowhere.stderr).to.include("npm start");
  });
});
