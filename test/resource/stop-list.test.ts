import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { keepStopList } from "../../packages/resource/src/stop-list/stop-list.ts";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import type { TestCall } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const FRESH_MILLISECONDS = 4_000;
/** It takes a second; this machine may be busy. */
const LIMIT_MILLISECONDS = 10_000;

const STATUS: TestCall = { path: "/cobs/2.0/payments/payment-1/status" };
const BALANCE_CHECK: TestCall = { method: "POST", path: "/cobs/2.0/accounts/balanceCheck" };

describe("the stop list at the resource server", () => {
  let resource: RunningResource;
  let agent: Agent;
  beforeEach(async () => {
    resource = await runResource();
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    await resource.stop();
  });

  const connections = () => [...Object.values(agent.freeSockets), ...Object.values(agent.sockets)].flat();

  describe("a blocked TPP", () => {
    const certificate = "all-roles";
    let calls: readonly TestCall[];
    const statuses = async () => {
      const found: number[] = [];
      for (const call of calls) found.push((await resource.call({ ...call, certificate, agent })).status);
      return found;
    };

    beforeEach(async () => {
      calls = [{ token: resource.giveToken(certificate) }, STATUS, BALANCE_CHECK];
      expect(await statuses()).to.deep.equal([200, 404, 400]);
    });

    it("is refused on its open connection within a second, with and without a token, and served once released", async () => {
      const [connection] = connections();
      const { organisationIdentifier } = resource.tpp(certificate);
      resource.auth.block(organisationIdentifier);
      const isRefused = async () => (await statuses()).every((status) => status === 401);
      expect(await eventually(isRefused, LIMIT_MILLISECONDS)).to.be.below(LIMIT_MILLISECONDS);
      expect(resource.lastCall()).to.include({ refusal: "tpp_blocked", organisationIdentifier });
      expect(await resource.metric('certificate_refusals_total{code="tpp_blocked"')).to.be.at.least(3);
      resource.auth.release(organisationIdentifier);
      await eventually(async () => (await statuses()).join() === "200,404,400", LIMIT_MILLISECONDS);
      expect(connections()).to.deep.equal([connection]);
    });

    it("is refused with all of its certificates, while no other TPP is", async () => {
      const { organisationIdentifier } = resource.tpp(certificate);
      resource.auth.block(organisationIdentifier);
      await eventually(async () => (await statuses()).every((status) => status === 401), LIMIT_MILLISECONDS);
      const renewed = await resource.call({ ...BALANCE_CHECK, certificate: "all-roles-renewed" });
      expect(renewed.status).to.equal(401);
      expect((await resource.call({ ...BALANCE_CHECK, certificate: "second-tpp" })).status).to.equal(400);
    });
  });

  it("refuses a call that began before the block and whose body comes after it", async () => {
    const certificate = "all-roles";
    const token = resource.giveToken(certificate, { scope: "pisp", consented_services: ["pisp"] });
    let send: (text: string) => void = () => {};
    const body = new Promise<string>((resolve) => {
      send = resolve;
    });
    const path = "/cobs/2.0/my/payments/balanceCheck";
    const headers = { "content-type": "application/json" };
    const answer = resource.call({ method: "POST", path, certificate, token, headers, body });
    // It was let in when its token is known.
    await eventually(() => resource.auth.asked.some((form) => form.get("token") === token));
    resource.auth.block(resource.tpp(certificate).organisationIdentifier);
    const isRefused = async () => (await resource.call({ ...STATUS, certificate, agent })).status === 401;
    await eventually(isRefused, LIMIT_MILLISECONDS);
    send("{}");
    expect((await answer).status).to.equal(401);
  });

  it("refuses a blocked certificate until its release, while another of the same TPP may call", async () => {
    const { thumbprint } = resource.tpp("all-roles");
    resource.auth.blockCertificate(thumbprint);
    const old = () => resource.call({ ...BALANCE_CHECK, certificate: "all-roles", agent });
    await eventually(async () => (await old()).status === 401, LIMIT_MILLISECONDS);
    expect(resource.lastCall()).to.include({ refusal: "certificate_blocked", thumbprint });
    // Another token helps against no block of a certificate (RFC 6750 section 3.1).
    const withToken = await resource.call({
      certificate: "all-roles",
      token: resource.giveToken("all-roles"),
    });
    expect(withToken.headers["www-authenticate"]).to.equal('Bearer realm="cobs"');
    const renewed = await resource.call({ ...BALANCE_CHECK, certificate: "all-roles-renewed" });
    expect(renewed.status).to.equal(400);
    resource.auth.releaseCertificate(thumbprint);
    await eventually(async () => (await old()).status === 400, LIMIT_MILLISECONDS);
  });

  it("refuses a certificate whose twin is blocked, a form that its holder can make without any key", async () => {
    const { raw } = new X509Certificate(readFileSync(resource.tpp("all-roles").certificateFile));
    resource.auth.blockCertificate(thumbprintOf(twinOf(raw, orders["P-256"])));
    const call = () => resource.call({ ...BALANCE_CHECK, certificate: "all-roles", agent });
    await eventually(async () => (await call()).status === 401, LIMIT_MILLISECONDS);
    expect(resource.lastCall()).to.include({ refusal: "certificate_blocked" });
  });

  it("tells a blocked TPP no more than that, in the standard's format with a challenge (COBS 1.2.10.1)", async () => {
    const { organisationIdentifier } = resource.tpp("aisp");
    resource.auth.block(organisationIdentifier);
    let answer: RawAnswer | undefined;
    await eventually(async () => {
      answer = await resource.call({ certificate: "aisp" });
      return resource.lastCall().refusal === "tpp_blocked";
    }, LIMIT_MILLISECONDS);
    const asked = resource.auth.asked.length;
    const withToken = await resource.call({ certificate: "aisp", token: resource.giveToken("aisp") });
    expect(JSON.parse(answer?.body ?? "").errors[0]).to.deep.equal({
      error: "UNAUTHORISED",
      scope: null,
      parameters: { CERTIFICATE: "tpp_blocked" },
      message: "This TPP is blocked at this bank. Contact the bank.",
    });
    expect(answer?.headers["www-authenticate"]).to.equal('Bearer realm="cobs"');
    expect(withToken.headers["www-authenticate"]).to.equal('Bearer realm="cobs"');
    expect(resource.auth.asked).to.have.length(asked);
  });

  it("is not consulted for a certificate that is refused anyway", async () => {
    const { organisationIdentifier } = resource.tpp("wrong-expired");
    resource.auth.block(organisationIdentifier);
    await resource.auth.close();
    resource.clock.advance(FRESH_MILLISECONDS + 1);
    expect((await resource.call({ certificate: "wrong-expired" })).status).to.equal(401);
    expect(resource.lastCall()).to.include({ refusal: "certificate_expired" });
    await resource.auth.reopen();
  });

  describe("when auth is silent", () => {
    it("is trusted for the freshness bound, then nobody is admitted until auth answers", async () => {
      const token = resource.giveToken();
      expect((await resource.call({ token })).status).to.equal(200);
      expect((await resource.call(STATUS)).status).to.equal(404);
      await resource.auth.close();
      resource.clock.advance(FRESH_MILLISECONDS);
      expect((await resource.call({ token })).status).to.equal(200);
      expect((await resource.call(STATUS)).status).to.equal(404);
      resource.clock.advance(1);
      for (const call of [{ token }, STATUS, { ...BALANCE_CHECK, certificate: "cisp" }]) {
        const answer = await resource.call(call);
        expect(answer.status).to.equal(503);
        expect(Number(answer.headers["retry-after"])).to.be.greaterThan(0);
        expect(JSON.parse(answer.body).errors[0].error).to.equal("NARR");
      }
      await resource.auth.reopen();
      expect((await resource.call({ token })).status).to.equal(200);
    });
  });

  const UNREADABLE = {
    "another status": { status: 403, body: "{}" },
    "no JSON": { status: 200, body: "" },
    "no lists": { status: 200, body: JSON.stringify({ position: 1 }) },
    "no position": { status: 200, body: JSON.stringify({ organisationIdentifiers: [], thumbprints: [] }) },
    "a malformed identifier": {
      status: 200,
      body: JSON.stringify({ position: 1, organisationIdentifiers: ["CZ-1"], thumbprints: [] }),
    },
    "a malformed thumbprint": {
      status: 200,
      body: JSON.stringify({ position: 1, organisationIdentifiers: [], thumbprints: ["ab:cd"] }),
    },
  };
  for (const [what, answer] of Object.entries(UNREADABLE)) {
    it(`never counts as empty because it could not be read: ${what}`, async () => {
      expect((await resource.call(STATUS)).status).to.equal(404);
      resource.auth.writeStopList = () => answer;
      resource.auth.feed.tell("consent", "any");
      resource.auth.feed.forget();
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      await eventually(async () => (await resource.call(STATUS)).status === 503, LIMIT_MILLISECONDS);
      expect(resource.lastCall().code).to.match(/^stop_list_/);
      resource.auth.writeStopList = undefined;
      expect((await resource.call(STATUS)).status).to.equal(404);
    });
  }

  const UNREADABLE_EVENTS = {
    "another status": { status: 403, body: "{}" },
    "no JSON": { status: 200, body: "" },
    "no head": { status: 200, body: JSON.stringify({ events: [] }) },
    "a malformed TPP identifier": {
      status: 200,
      body: JSON.stringify({ head: 1, events: [{ position: 1, kind: "tpp_blocked", key: "CZ-1" }] }),
    },
    "an event without a position": {
      status: 200,
      body: JSON.stringify({ head: 1, events: [{ kind: "consent", key: "c" }] }),
    },
  };
  for (const [what, answer] of Object.entries(UNREADABLE_EVENTS)) {
    it(`never counts as unchanged because its changes could not be read: ${what}`, async () => {
      expect((await resource.call(STATUS)).status).to.equal(404);
      resource.auth.writeEvents = () => answer;
      resource.clock.advance(FRESH_MILLISECONDS + 1);
      expect((await resource.call(STATUS)).status).to.equal(503);
      expect(resource.lastCall().code).to.match(/^events_/);
      resource.auth.writeEvents = undefined;
      expect((await resource.call(STATUS)).status).to.equal(404);
    });
  }
});

describe("the stop list kept by a process", () => {
  it("is replaced at each beginning by auth's list, so that a missed release takes effect", () => {
    const listOf = (organisationIdentifier: string, certificate: number) => ({
      organisationIdentifiers: new Set([parseOrganisationIdentifier(organisationIdentifier)]),
      thumbprints: new Set([thumbprintOf(Buffer.of(certificate))]),
    });
    const kept = keepStopList();
    for (const list of [listOf("PSDCZ-CNB-1", 1), listOf("PSDCZ-CNB-2", 2)]) {
      kept.begin(list);
      expect(kept.blocked).to.deep.equal(list);
    }
  });
});
