import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { startProgram } from "../support/program.ts";
import { makeServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Strings = Readonly<Record<string, string>>;

const RESOURCE = "packages/resource/src/main.ts";
const UNSET = [
  "BASE_URL is not set: https://localhost:9443 is only for a sandbox",
  "RESOURCE_SERVER is not set: https://localhost:9443/cobs/2.0 is only for a sandbox",
];

describe("Sandbox default left in production", () => {
  const folder = temporaryFolder();
  let services: { readonly auth: Strings; readonly resource: Strings };
  before(async () => {
    const { auth, resource } = await makeServiceEnvironments(folder.path);
    const file = join(folder.path, "production-anchors.json");
    const secret = join(folder.path, "upstream-secret");
    writeFileSync(secret, "s".repeat(32));
    const { TRUST_ANCHORS_FILE: ofSandbox = "", BANK_AUTHORITY_FILE = "" } = resource;
    writeFileSync(file, readFileSync(ofSandbox, "utf8").replace('"sandbox"', '"production"'));
    const shared = {
      MODE: "production",
      TRUST_ANCHORS_FILE: file,
      DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing",
    };
    const login = {
      PSU_LOGIN: "oidc",
      UPSTREAM_ISSUER: "https://login.bank.example",
      UPSTREAM_CLIENT_ID: "cobs",
      UPSTREAM_CLIENT_SECRET_FILE: secret,
      UPSTREAM_ACR_VALUES: "two-factors",
    };
    const core = { BANK: "http", CORE_URL: "https://core.bank", CORE_AUTHORITY_FILE: BANK_AUTHORITY_FILE };
    services = { auth: { ...auth, ...shared, ...login }, resource: { ...resource, ...shared, ...core } };
  });
  after(() => folder.remove());

  it("is a warning of --check for resource, and no fault", async () => {
    const unset = { ...services.resource, BASE_URL: "", RESOURCE_SERVER: "" };
    const { stderr, exitCode } = await startProgram(RESOURCE, ["--check"], unset).ended();
    expect(stderr).to.equal(UNSET.map((each) => `resource: warning: ${each}\n`).join(""));
    expect(exitCode).to.equal(0);
  });

  it("is a warning of --check for auth, also for the delivery of codes", async () => {
    const unset = { ...services.auth, ISSUER: "", MUTUAL_TLS_URL: "", RESOURCE_SERVER: "" };
    const { stderr } = await startProgram("packages/auth/src/main.ts", ["--check"], unset).ended();
    const names = [...stderr.matchAll(/^auth: warning: (\w+) is not set/gm)].map(([, name]) => name);
    expect(names, stderr).to.deep.equal([
      "ISSUER",
      "MUTUAL_TLS_URL",
      "RESOURCE_SERVER",
      "DELIVERY_URL",
      "BANK_NAME",
    ]);
  });

  it("is none for auth that codes have no way to PSUs when the bank has no payments", async () => {
    const set = { ...services.auth, BANK_NAME: "Bank", PAYMENTS: "off" };
    const { stderr } = await startProgram("packages/auth/src/main.ts", ["--check"], set).ended();
    expect(stderr).not.to.contain("DELIVERY_URL");
  });

  it("is logged at the start, as is a database without TLS on another machine", async () => {
    const DATABASE_URL = "postgresql://nobody@192.0.2.1:1/nothing";
    const started = startProgram(RESOURCE, [], { ...services.resource, BASE_URL: "", DATABASE_URL });
    await started.says("stdout", /BASE_URL is not set/);
    await started.says("stdout", /DATABASE_URL asks for no TLS to another machine/);
    started.child.kill("SIGTERM");
    await started.ended();
  });
});
