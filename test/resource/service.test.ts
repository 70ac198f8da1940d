import { once } from "node:events";
import { connect } from "node:tls";
import { configure, RESOURCE_VARIABLES } from "@cobs/resource";
import { DATABASE_TIME_LIMITS } from "@cobs/service-edge";
import { expect } from "chai";
import { configurationFaults } from "../support/configuration-faults.ts";
import { eventually } from "../support/eventually.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("the resource server as a process", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource({}, undefined, { tunnelled: true });
  });
  after(() => resource.stop());

  const operator = (path: string) => fetch(`http://127.0.0.1:${resource.ports.operator}${path}`);

  describe("its configuration", () => {
    const faultsWith = (changed: Readonly<Record<string, string | undefined>>) =>
      configurationFaults(() => configure({ ...resource.environment, ...changed }));

    it("is complete with the sandbox's settings", () => {
      expect(faultsWith({})).to.deep.equal([]);
      expect(configure(resource.environment)).to.include({
        issuer: "https://localhost:8443",
        resourceServer: "https://localhost:9443/cobs/2.0",
        bankClientName: "resource",
        freshnessSeconds: 4,
      });
    });

    it("takes its name at auth from its client certificate (RFC 8705 2.1)", () => {
      const files = ["BANK_CLIENT_CERTIFICATE_FILE", "BANK_CLIENT_KEY_FILE"] as const;
      const ofOperator = files.map((name) => [
        name,
        resource.environment[name]?.replace(/resource(?=\.\w+$)/, "operator"),
      ]);
      expect(
        configure({ ...resource.environment, ...Object.fromEntries(ofOperator) }).bankClientName,
      ).to.equal("operator");
    });

    it("keeps payments for longer than the thirteen months in which a PSU may claim (PSD2 Articles 71, 72)", () => {
      expect(faultsWith({ PAYMENT_RETENTION_DAYS: "400" })).to.deep.equal([]);
      expect(faultsWith({ PAYMENT_RETENTION_DAYS: "399" })).to.deep.equal([
        "PAYMENT_RETENTION_DAYS must be a whole number from 400 to 4000",
      ]);
    });

    it("refuses sandbox anchors, the sandbox bank and unchecked revocation in production", () => {
      const faults = faultsWith({ MODE: "production" });
      expect(faults).to.have.length(3);
      expect(faults.join("\n")).to.match(/REVOCATION=off needs MODE=sandbox/);
      expect(faults.join("\n")).to.match(/sandbox anchors, but MODE is production/);
      expect(faults.join("\n")).to.match(/BANK=sandbox needs MODE=sandbox/);
    });

    it("accepts only bare origins as addresses, and the issuer as auth states it (RFC 8414 3.1)", () => {
      for (const name of ["BASE_URL", "BANK_URL", "ISSUER", "AUTH_MUTUAL_TLS_URL", "AUTH_BANK_URL"])
        for (const wrong of ["localhost/cobs", "localhost?a=b", ":secret@localhost"])
          expect(faultsWith({ [name]: `https://${wrong}` }), wrong).to.deep.equal([
            `${name} must be https, a host and a port, and nothing else`,
          ]);
      const slashed = { ...resource.environment, ISSUER: "https://bank.example/" };
      expect(configure(slashed).issuer).to.equal("https://bank.example");
    });

    it("reports every fault at once", () => {
      const faults = faultsWith({
        BASE_URL: "http://localhost",
        FRESHNESS_SECONDS: "-1",
        UNUSABLE_TOKENS_PER_MINUTE: "0",
        BANK: "mock",
        TRUST_ANCHORS_FILE: "/nowhere",
        ISSUER: "localhost",
      });
      const named = [
        "BASE_URL",
        "FRESHNESS_SECONDS",
        "UNUSABLE_TOKENS_PER_MINUTE",
        "BANK",
        "TRUST_ANCHORS_FILE",
        "ISSUER",
      ];
      for (const name of named)
        expect(
          faults.some((fault) => fault.includes(name)),
          name,
        ).to.equal(true);
    });

    it("shows no secret when printed", () => {
      const password = new URL(resource.environment.DATABASE_URL ?? "").password;
      expect(password).not.to.equal("");
      expect(JSON.stringify(resource.config)).not.to.include(resource.environment.DATABASE_URL);
    });

    it("explains every variable", () => {
      const names = RESOURCE_VARIABLES.map(({ name }) => name);
      expect(new Set(names).size).to.equal(names.length);
      for (const { name, meaning } of RESOURCE_VARIABLES) expect(meaning, name).not.to.equal("");
    });
  });

  describe("its readiness", () => {
    it("is given when the database answers and auth's keys were fetched", async () => {
      const answer = await operator("/readyz");
      expect(answer.status).to.equal(200);
      expect(await answer.json()).to.deep.equal({
        ready: true,
        checks: { running: true, database: true, authKeys: true, stopList: true },
      });
    });

    it("lasts when auth goes away, as fresh admissions are still served", async () => {
      await operator("/readyz");
      await resource.auth.close();
      expect((await operator("/readyz")).status).to.equal(200);
      await resource.auth.reopen();
    });

    it("is missing before auth was reached, and comes by itself", async () => {
      const early = await runResource();
      try {
        await early.auth.close();
        const ready = () => fetch(`http://127.0.0.1:${early.ports.operator}/readyz`);
        expect((await ready()).status).to.equal(503);
        await early.auth.reopen();
        expect((await ready()).status).to.equal(200);
      } finally {
        await early.stop();
      }
    });
  });

  describe("when the database is down", () => {
    it("answers 503 with Retry-After within three seconds, lives on, and recovers by itself", async () => {
      const token = resource.giveToken();
      expect((await resource.call({ token })).status).to.equal(200);
      await resource.database.cut();
      const waited = startWaiting();
      const answer = await resource.call({ token });
      expect(waited()).to.be.lessThan(3_000);
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers["retry-after"])).to.be.greaterThan(0);
      expect(JSON.parse(answer.body).errors[0].error).to.equal("NARR");
      expect(answer.body).not.to.match(/postgres|ECONN|127\.0\.0\.1|connection/i);
      expect((await operator("/livez")).status).to.equal(200);
      expect((await operator("/readyz")).status).to.equal(503);
      await resource.database.mend();
      expect((await resource.call({ token })).status).to.equal(200);
    });
  });

  describe("when the database is connected but stalls", () => {
    it("answers every caller with 503 within three seconds, also more callers than it has connections", async () => {
      const stalled = await runResource({ DATABASE_MAX_CONNECTIONS: "2" }, undefined, {
        databaseTimeLimits: DATABASE_TIME_LIMITS,
        tunnelled: true,
      });
      try {
        const token = stalled.giveToken();
        // A busy database may take longer for one call than it has.
        await eventually(async () => (await stalled.call({ token })).status === 200);
        stalled.database.stall();
        const waited = startWaiting();
        const answers = await Promise.all(Array.from({ length: 10 }, () => stalled.call({ token })));
        expect(waited()).to.be.lessThan(3_500);
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([503]));
      } finally {
        await stalled.database.cut();
        await stalled.stop();
      }
    });
  });

  describe("its log", () => {
    it("holds no token, no IBAN and no account name (LOG-01)", async () => {
      const token = resource.giveToken();
      await resource.call({ token });
      await resource.call({ token: `${token}x` });
      const text = JSON.stringify(resource.logLines);
      expect(text).to.include("call");
      expect(text).not.to.include(token);
      expect(text).not.to.match(/CZ\d{22}/);
      expect(text).not.to.include("Účet");
    });
  });

  it("accepts nothing below TLS 1.2 (FAPI 2.0 5.2.1)", async () => {
    const failed = await new Promise<boolean>((resolve) => {
      const socket = connect({
        port: resource.ports.mutualTls,
        host: "localhost",
        rejectUnauthorized: false,
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT@SECLEVEL=0",
      });
      socket.on("secureConnect", () => resolve(false));
      socket.on("error", () => resolve(true));
    });
    expect(failed).to.equal(true);
  });

  it("gives no answer to plain http (TLS-05)", async () => {
    const failure = await fetch(`http://127.0.0.1:${resource.ports.mutualTls}/`).catch(
      (error: Error) => error,
    );
    expect(failure).to.be.instanceOf(Error);
  });

  it("stops while a connection is open, and accepts no further one", async () => {
    const other = await runResource();
    const idle = connect({ port: other.ports.mutualTls, host: "localhost", rejectUnauthorized: false });
    await once(idle, "secureConnect");
    const closed = once(idle, "close");
    await other.stop();
    await closed;
    const late = connect({ port: other.ports.mutualTls, host: "localhost", rejectUnauthorized: false });
    const [failure] = await once(late, "error").catch((error: Error) => [error]);
    expect(failure).to.include({ code: "ECONNREFUSED" });
  });
});
