import { expect } from "chai";
import { configureSandbox } from "../../../packages/sandbox/src/start/config.ts";
import { ownPartsOf } from "../../../packages/sandbox/src/start/own-parts.ts";
import { configurationFaults } from "../../support/configuration-faults.ts";

describe("Configuration of the sandbox", () => {
  const faultsOf = (environment: Readonly<Record<string, string>>) =>
    configurationFaults(() => configureSandbox(environment));

  it("is refused with every fault at once", () => {
    const databases = { AUTH_DATABASE_URL: "mysql://db/auth", RESOURCE_DATABASE_URL: "mysql://db/resource" };
    const faults = faultsOf({
      AUTH_BANK_PORT: "seven",
      POSTGRES_PORT: "70000",
      SANDBOX_CORE: "a",
      ...databases,
    });
    const named = ["AUTH_BANK_PORT", "POSTGRES_PORT", "SANDBOX_CORE", ...Object.keys(databases)];
    expect(faults.map((fault) => /^\w+/.exec(fault)?.[0])).to.have.members(named);
  });

  it("includes the look of the pages, unchanged, for auth", () => {
    expect(configureSandbox({ BANK_NAME: "Moje banka", BANK_COLOR: "#9e5f00" }).forAuth).to.include({
      BANK_NAME: "Moje banka",
      BANK_COLOR: "#9e5f00",
      BANK_CONTACT: "mailto:help@bank.example",
    });
  });

  it("includes the login and the delivery of an integrator's own, unchanged, for auth", () => {
    const own = {
      PSU_LOGIN: "oidc",
      UPSTREAM_ISSUER: "https://login.example",
      UPSTREAM_CLIENT_SECRET_FILE: "secret",
      DELIVERY_URL: "https://localhost:9666/texts",
    };
    const { forAuth } = configureSandbox(own);
    expect(forAuth).to.include(own);
    expect(ownPartsOf(forAuth)).to.deep.equal({ login: own.UPSTREAM_ISSUER, delivery: own.DELIVERY_URL });
    expect(ownPartsOf(configureSandbox({}).forAuth)).to.deep.equal({ login: null, delivery: null });
  });

  it("allows no two listeners on one port, except port 0", () => {
    expect(faultsOf({ AUTH_BANK_PORT: "0", RESOURCE_BANK_PORT: "0" })).to.deep.equal([]);
    expect(faultsOf({ AUTH_BANK_PORT: "7443" })).to.deep.equal([
      "CALLBACK_PORT must not be the same port as AUTH_BANK_PORT",
    ]);
  });
});
