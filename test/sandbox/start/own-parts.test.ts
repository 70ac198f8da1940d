import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import {
  type ReadySandbox,
  readSandboxDocument,
  type SandboxDocument,
} from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { approveAsPsu } from "../../../packages/sandbox/src/tpp/approve-as-psu.ts";
import { consentAsPsu } from "../../../packages/sandbox/src/tpp/consent-as-psu.ts";
import { createFormBrowser, type FormBrowser } from "../../../packages/sandbox/src/tpp/form-browser.ts";
import { nextOneTimeCode } from "../../../packages/sandbox/src/tpp/one-time-codes.ts";
import { openTppFetch } from "../../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { type DeliveryStandIn, startDeliveryStandIn } from "../../auth/delivery/delivery-stand-in.ts";
import { type RunningUpstream, runUpstream } from "../../auth/psu/upstream/running-upstream.ts";
import { forgetUsedCodes } from "../../journeys/run-sql.ts";
import { freePort } from "../../support/free-port.ts";
import { type RunningProgram, runProgram, startProgram } from "../../support/program.ts";
import { startSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { createTestDatabase } from "../../support/test-databases.ts";
import { accountsStatus } from "./accounts-status.ts";

const TPP = "packages/sandbox/src/tpp/main.ts";

/** Runs work in a browser that stops when it leaves the bank's pages. */
async function withBrowser<T>(
  { ca, auth }: SandboxDocument,
  work: (browser: FormBrowser) => Promise<T>,
): Promise<T> {
  const web = await openTppFetch(ca);
  try {
    return await work(createFormBrowser(web.fetch, ({ origin }) => origin !== auth.browser));
  } finally {
    await web.close();
  }
}

/** The address that a waiting command tells a person to open. */
async function addressIn(waiting: RunningProgram): Promise<URL> {
  await waiting.says("stdout", /Waiting up to/);
  return new URL(await waiting.says("stdout", /^https:\S+$/m));
}

/** Brings the browser back to a waiting command, and gives how that ended. */
async function comeBack(waiting: RunningProgram, callback: string | URL, { ca }: SandboxDocument) {
  await once(get(callback, { ca: readFileSync(ca) }), "response");
  return waiting.ended();
}

/** Of PostgreSQL's clients: the sandbox follows its URLs instead, and its seed too. */
const ENCRYPTED = { PGSSLMODE: "require", PGSSLNEGOTIATION: "direct" };
const UNSUITABLE = {
  ...ENCRYPTED,
  PGOPTIONS: "-c default_transaction_read_only=on",
};

describe("Sandbox with an OpenID provider and a name of the integrator's own", function login() {
  this.timeout(240_000);
  let upstream: RunningUpstream;
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  before(async () => {
    const port = String(await freePort());
    upstream = await runUpstream({ redirectUri: `https://localhost:${port}/sign-in/return` });
    sandbox = await startSandbox({
      ...upstream.variables,
      ...UNSUITABLE,
      AUTH_BROWSER_PORT: port,
      BANK_NAME: "Moje banka",
    });
    const found = await readSandboxDocument(join(sandbox.directory, "sandbox.json"));
    if (found === undefined) throw new TypeError("there is no sandbox");
    document = found;
  });
  after(async () => {
    await sandbox?.stop();
    await upstream?.close();
  });

  it("has the name of its bank on the pages", async () => {
    const nowhere = new URL(`${document.issuer}/nowhere`);
    const visit = await withBrowser(document, (browser) => browser.open(nowhere));
    expect(visit.kind === "page" && visit.html).to.include("Moje banka");
  });

  it("reaches its own PostgreSQL as the URLs say, whatever those of PostgreSQL's clients are, and so does the seed", async () => {
    const seeding = ["--transactions", "10", "--accounts", "1"];
    const environment = { ...ENCRYPTED, SANDBOX_DIRECTORY: sandbox.directory };
    const seed = await runProgram("packages/sandbox/src/seed/main.ts", seeding, environment);
    expect(seed.exitCode, seed.stderr).to.equal(0);
  });

  it("has no ready application, and plays no PSU, and says so", async () => {
    expect(document.readyApplication).to.equal(null);
    const unregistered = await sandbox.tpp("accounts");
    expect(unregistered).to.include({ exitCode: 2 });
    expect(unregistered.stderr)
      .to.include("no application is known here")
      .and.include("npm run tpp -- register");
    for (const words of [["demo"], ["code", "jana"], ["psu", "jana", `${document.issuer}/oauth/authorize`]]) {
      const { exitCode, stderr } = await sandbox.tpp(...words);
      expect({ words, exitCode }).to.deep.equal({ words, exitCode: 2 });
      expect(stderr).to.include(`PSUs sign in at ${upstream.provider.issuer}`);
    }
  });

  it("signs PSUs in there, and gives a TPP the accounts of a demo PSU whose id they have there", async () => {
    expect((await sandbox.tpp("register")).exitCode).to.equal(0);
    const waiting = startProgram(TPP, ["authorize"], sandbox.environment);
    const start = await addressIn(waiting);
    const [jana] = document.psus;
    if (jana === undefined) throw new TypeError("there is no PSU");
    const callback = await withBrowser(document, async (browser) => {
      const { url: place } = await browser.open(start);
      const back = await upstream.provider.signIn(place.href, { psu: jana.psuId, name: "Jana" });
      const nextCode = () => Promise.reject(new Error("a sign-in on the bank's own pages"));
      return consentAsPsu(browser, back, { username: "", password: "", nextCode, accounts: "all" });
    });
    expect((await comeBack(waiting, callback, document)).exitCode).to.equal(0);
    const { stdout } = await sandbox.tpp("accounts", "--json");
    const ids = JSON.parse(stdout).accounts.map(({ id }: { readonly id: string }) => id);
    expect(ids).to.deep.equal(jana.accounts.map(({ id }) => id));
  });

  it("is not told to play a PSU when the browser returns to another machine", async () => {
    await sandbox.tpp("register", "--redirect-uri", "https://tpp.example/callback");
    const { exitCode, stderr } = await sandbox.tpp("authorize");
    expect([exitCode, stderr.includes("Register an application whose"), /--psu/.test(stderr)]).to.deep.equal([
      2,
      true,
      false,
    ]);
  });
});

describe("Sandbox with a core system of the integrator's own", function core() {
  this.timeout(240_000);
  let sandbox: TestSandbox;
  let coreSystem: RunningProgram | undefined;
  after(async () => {
    coreSystem?.child.kill("SIGTERM");
    await coreSystem?.ended();
    await sandbox?.stop();
  });

  it("is ready before that runs, and then has its accounts", async () => {
    const port = String(await freePort());
    sandbox = await startSandbox({ SANDBOX_CORE: `https://localhost:${port}` });
    const document = await readSandboxDocument(join(sandbox.directory, "sandbox.json"));
    expect(document?.readyApplication).to.equal(null);
    const place = { SANDBOX_DIRECTORY: sandbox.directory, CORE_SYSTEM_PORT: port };
    coreSystem = startProgram("packages/sandbox/src/core-system/main.ts", [], place);
    await coreSystem.says("stdout", /--authority/);
    await sandbox.tpp("register");
    await sandbox.tpp("authorize", "--psu", "petr");
    const { stdout, stderr } = await sandbox.tpp("accounts", "--json");
    expect(stderr).to.equal("");
    expect(JSON.parse(stdout).totalCount).to.equal(2);
  });

  it("has the demo leave out its payment, because the sandbox knows no payee there", async () => {
    const { exitCode, stdout, stderr } = await sandbox.tpp("demo", "--psu", "jana", "--json");
    expect({ exitCode, payment: JSON.parse(stdout).payment }).to.deep.equal({ exitCode: 0, payment: null });
    const { accounts } = JSON.parse(stdout).accounts;
    expect(stderr)
      .to.include(
        `A payment is left out: the sandbox knows no payee in the core system at ${sandbox.environment.SANDBOX_CORE}`,
      )
      .and.include("npm run tpp -- register, authorize --psu jana, and")
      .and.include(`pay --from ${accounts[0].identification.iban} --to ACCOUNT --amount 1.50`)
      .and.include("With the consent, its access tokens have ended");
  });
});

describe("Sandbox with a delivery service and databases of the integrator's own", function delivering() {
  this.timeout(240_000);
  let service: DeliveryStandIn;
  let sandbox: TestSandbox;
  let document: ReadySandbox;
  let urls: { readonly auth: string; readonly resource: string };
  before(async () => {
    const port = await freePort();
    urls = { auth: await createTestDatabase(), resource: await createTestDatabase() };
    sandbox = await startSandbox({
      DELIVERY_URL: `https://localhost:${port}/texts`,
      AUTH_DATABASE_URL: urls.auth,
      RESOURCE_DATABASE_URL: urls.resource,
    });
    document = await sandbox.document();
    const own = join(sandbox.directory, "certificates", "server", "resource-bank");
    const keyPair = { certificateFile: `${own}.pem`, keyFile: `${own}.key` };
    service = await startDeliveryStandIn(keyPair, readFileSync(document.privateCa, "utf8"), port);
  });
  after(async () => {
    await sandbox?.stop();
    await service?.close();
  });

  it("starts no PostgreSQL, and fills those databases", async () => {
    expect(document.processes.postgres).to.equal(null);
    expect(document.databases).to.deep.equal(urls);
    expect(await accountsStatus(document, "aisp")).to.equal(200);
  });

  it("has the demo leave out its payment, which nobody here could approve", async () => {
    const { exitCode, stdout, stderr } = await sandbox.tpp("demo", "--json");
    expect({ exitCode, payment: JSON.parse(stdout).payment }).to.deep.equal({ exitCode: 0, payment: null });
    expect(stderr).to.include(`A payment is left out: the code that approves it goes to the service at`);
    expect(service.posted).to.deep.equal([]);
  });

  it("sends codes there, with which a PSU approves in a browser", async () => {
    const psu = document.psus.find(({ username }) => username === "petr");
    if (psu === undefined) throw new TypeError("there is no PSU");
    await sandbox.tpp("register");
    await sandbox.tpp("authorize", "--psu", psu.username);
    const payment = ["--to", "CZ6508000000192000145399", "--amount", "1.50", "--currency", "CZK"];
    const paid = await sandbox.tpp("pay", "--from", psu.accounts[0]?.iban ?? "", ...payment, "--json");
    const { transactionIdentification: id } = JSON.parse(paid.stdout);
    const refused = await sandbox.tpp("sign", id, "--psu", psu.username);
    expect([refused.exitCode, refused.stderr.includes(String(document.delivery))]).to.deep.equal([2, true]);

    // Otherwise the PSU would have to wait for the next one-time code.
    await forgetUsedCodes(document);
    const waiting = startProgram(TPP, ["sign", id], sandbox.environment);
    const start = await addressIn(waiting);
    const usedSteps = openUsedSteps(usedStepsFile(sandbox.directory));
    await withBrowser(document, (browser) =>
      approveAsPsu(browser, start, {
        ...psu,
        nextCode: () => nextOneTimeCode(psu, usedSteps, () => undefined),
        readMessage: async () => String(service.posted.at(-1)?.body.text),
      }),
    );
    const { exitCode, stdout } = await comeBack(
      waiting,
      `https://localhost:${document.callback.port}/callback`,
      document,
    );
    expect([exitCode, /DONE: approved/.test(stdout)]).to.deep.equal([0, true]);
    expect(service.posted.map(({ caller, path, body }) => [caller, path, body.psu])).to.deep.equal([
      ["auth", "/texts", psu.psuId],
    ]);
  });
});
