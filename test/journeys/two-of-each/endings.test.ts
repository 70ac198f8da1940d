/**
 * Two processes of auth and two of resource, of which each asks its own auth, under load: whatever is ended anywhere is
 * over everywhere. `npm run faults` runs twenty rounds; the tests run one for each kind of ending.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { TppApplication } from "../../../packages/sandbox/src/tpp/oauth-client.ts";
import { openTppFetch, type TppFetch } from "../../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { eventually } from "../../support/eventually.ts";
import { ENDING_PAUSE_MILLISECONDS, ENDING_ROUNDS } from "../../support/test-environment.ts";
import type { TppClient } from "../../support/tpp-client.ts";
import { type Answered, lastServed } from "../answered.ts";
import { forgetUsedCodes, journeySandbox } from "../journey-sandbox.ts";
import { authorizePlainly } from "../plain-authorization.ts";
import { postTokenForm } from "../post-token-form.ts";
import { type SecondServices, useSecondServices } from "./second-services.ts";

const CERTIFICATE = "second-tpp";
/** Who is blocked has nobody else's journeys. */
const BLOCKED = "marie";
const PROMISE_MILLISECONDS = 1_000;
/** With auth out of reach. */
const LATEST_MILLISECONDS = 5_000;
const CALLERS_PER_RESOURCE = 3;

const KINDS = ["token", "consent", "application", "TPP", "code reuse", "PSU"] as const;
type Kind = (typeof KINDS)[number];

/** One application of the TPP with what a PSU allowed it. */
interface Access {
  readonly application: TppApplication;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** What redeemed the code. */
  readonly form: Readonly<Record<string, string>>;
}

describe("Access ended under load", function endings() {
  this.timeout(120_000);
  const second = useSecondServices(CERTIFICATE);
  let tpp: TppClient;
  let operator: TppFetch;
  let auths: readonly string[];
  let resources: readonly string[];
  let secondAuth: SecondServices["auth"];
  let secondResource: SecondServices["resource"];
  let organisation: string;
  let blockedPsu: string;
  before(async () => {
    const document = await (await journeySandbox()).document();
    ({ tpp, auth: secondAuth, resource: secondResource } = second());
    operator = await openTppFetch(document.privateCa, document.bankClients.operator);
    auths = [document.auth.mutualTls, secondAuth.mutualTls];
    resources = [`${document.resourceBase}/my/accounts`, secondResource.accounts];
    organisation =
      document.certificates.find(({ name }) => name === CERTIFICATE)?.organisationIdentifier ?? "";
    blockedPsu = document.psus.find(({ username }) => username === BLOCKED)?.psuId ?? "";
  });
  after(() => operator?.close());

  async function openAccess(psu = "jana"): Promise<Access> {
    const document = await (await journeySandbox()).document();
    await forgetUsedCodes(document);
    const owner = await tpp.register(["aisp"]);
    const form = await authorizePlainly(document, owner, psu);
    const { status, body } = await postTokenForm(tpp, document.auth.mutualTls, form);
    expect(status, JSON.stringify(body)).to.equal(200);
    const [accessToken, refreshToken] = [String(body.access_token), String(body.refresh_token)];
    return { application: owner, accessToken, refreshToken, form };
  }

  const statusAt = async (accounts: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await tpp.fetch(accounts, { method: "GET", headers, body: undefined, redirect: "manual" });
    return answer.status;
  };

  /**
   * Calls with short pauses as long as it is admitted, until it is stopped; gives every answer with the moment at which
   * its call began.
   */
  function load(token: string, at = resources) {
    const answers: Answered[] = [];
    let running = true;
    const call = async (accounts: string) => {
      while (running) {
        const begun = performance.now();
        const status = await statusAt(accounts, token).catch(() => 0);
        answers.push({ begun, status });
        // Refusals come fast, and those who start again need the machine too.
        await delay(status === 200 ? ENDING_PAUSE_MILLISECONDS : 100);
      }
    };
    const callers = at.flatMap((accounts) =>
      Array.from({ length: CALLERS_PER_RESOURCE }, () => call(accounts)),
    );
    return {
      answers,
      stop: async () => {
        running = false;
        await Promise.all(callers);
      },
    };
  }

  async function post(path: string, fields: Readonly<Record<string, string>>): Promise<number> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(fields).toString();
    return (await tpp.fetch(path, { method: "POST", headers, body, redirect: "manual" })).status;
  }

  /** Ends the access at one process of auth; resolves with its answer. */
  async function end(kind: Kind, access: Access, auth: string) {
    const { application, accessToken, refreshToken, form } = access;
    const { clientId: client_id, clientSecret: client_secret } = application;
    switch (kind) {
      case "token":
      case "consent": {
        const token = kind === "token" ? accessToken : refreshToken;
        return post(`${auth}/oauth/revoke`, { token, client_id, client_secret });
      }
      case "application": {
        const url = `${auth}/cobs/2.0/applications/${client_id}`;
        const options = { method: "DELETE", headers: {}, body: undefined, redirect: "manual" } as const;
        return (await tpp.fetch(url, options)).status;
      }
      case "TPP":
        return changeBlock("", auth);
      case "code reuse":
        return (await postTokenForm(tpp, auth, form)).status;
      case "PSU":
        return orderAt(auth, `/psus/${blockedPsu}/block`, {});
    }
  }

  function changeBlock(path: "" | "/release", auth = auths[0] ?? ""): Promise<number> {
    return orderAt(auth, `/stop-list${path}`, { tpp: organisation });
  }

  /** Gives an order of the operator to one process of auth. */
  async function orderAt(
    auth: string,
    path: string,
    order: Readonly<Record<string, string>>,
  ): Promise<number> {
    const { auth: first } = await (await journeySandbox()).document();
    const bank = auth === auths[0] ? first.bank : secondAuth.bank;
    const answer = await operator.fetch(`${bank}/operator${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...order, reason: "a test of endings" }),
      redirect: "manual",
    });
    return answer.status;
  }

  for (let round = 0; round < ENDING_ROUNDS; round += 1) {
    const kind = KINDS[round % KINDS.length] ?? "token";
    it(`(${kind}, round ${round + 1}) is refused everywhere within a second of the answer`, async () => {
      const access = await openAccess(kind === "PSU" ? BLOCKED : "jana");
      const auth = auths[Math.floor(round / KINDS.length) % 2] ?? "";
      const { answers, stop } = load(access.accessToken);
      try {
        await eventually(() => answers.length > 100);
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
        expect(await end(kind, access, auth)).to.be.oneOf(kind === "code reuse" ? [400] : [200, 201, 204]);
        const ended = performance.now();
        await delay(2 * PROMISE_MILLISECONDS);
        await stop();
        const last = lastServed(answers);
        expect(last - ended, `milliseconds from the answer to the last success`).to.be.below(
          PROMISE_MILLISECONDS,
        );
        const afterwards = answers.filter(({ begun }) => begun > ended + PROMISE_MILLISECONDS);
        expect(afterwards).not.to.deep.equal([]);
        expect(new Set(afterwards.map(({ status }) => status))).to.deep.equal(new Set([401]));
      } finally {
        await stop();
        if (kind === "TPP") expect(await changeBlock("/release")).to.equal(200);
        if (kind === "PSU") expect(await orderAt(auth, `/psus/${blockedPsu}/release`, {})).to.equal(200);
      }
      if (kind === "TPP")
        for (const accounts of resources)
          await eventually(async () => (await statusAt(accounts, access.accessToken)) === 200);
    });
  }

  it("is refused within five seconds, and afterwards, where auth is out of reach", async () => {
    const [ended, other] = [await openAccess(), await openAccess()];
    const far = resources[1] ?? "";
    for (const { accessToken } of [ended, other]) expect(await statusAt(far, accessToken)).to.equal(200);
    const { answers, stop } = load(ended.accessToken, [far]);
    try {
      await secondAuth.tunnel.cut();
      expect(await end("consent", ended, auths[0] ?? "")).to.equal(200);
      const answered = performance.now();
      await delay(LATEST_MILLISECONDS + 500);
      const last = lastServed(answers);
      expect(last - answered).to.be.below(LATEST_MILLISECONDS);
      expect(answers.at(-1)?.status).to.equal(503);
      const before = answers.length;
      await secondAuth.tunnel.mend();
      await eventually(async () => (await statusAt(far, other.accessToken)) === 200);
      await eventually(() => answers.at(-1)?.status === 401);
      expect(answers.slice(before).some(({ status }) => status === 200)).to.equal(false);
    } finally {
      await stop();
    }
  });

  it("is never admitted again by a resource process that restarts", async () => {
    const access = await openAccess();
    const far = resources[1] ?? "";
    expect(await statusAt(far, access.accessToken)).to.equal(200);
    expect(await end("consent", access, auths[0] ?? "")).to.equal(200);
    await secondResource.kill();
    const { answers, stop } = load(access.accessToken, [far]);
    try {
      await secondResource.start();
      await eventually(() => answers.filter(({ status }) => status === 401).length > 20);
    } finally {
      await stop();
    }
    expect(answers.some(({ status }) => status === 200)).to.equal(false);
  });

  it("is announced by a restarted auth process to a reader that continues from its position", async () => {
    const [ended, other] = [await openAccess(), await openAccess()];
    const far = resources[1] ?? "";
    for (const { accessToken } of [ended, other]) expect(await statusAt(far, accessToken)).to.equal(200);
    await secondAuth.kill();
    expect(await end("consent", ended, auths[0] ?? "")).to.equal(200);
    const answered = performance.now();
    const { answers, stop } = load(ended.accessToken, [far]);
    try {
      await secondAuth.start();
      await eventually(async () => (await statusAt(far, other.accessToken)) === 200);
      await eventually(() => answers.at(-1)?.status === 401);
    } finally {
      await stop();
    }
    const last = lastServed(answers);
    expect(last - answered).to.be.below(LATEST_MILLISECONDS);
  });

  it("is refused within five seconds where auth is reachable but says nothing", async () => {
    const access = await openAccess();
    const far = resources[1] ?? "";
    expect(await statusAt(far, access.accessToken)).to.equal(200);
    const { answers, stop } = load(access.accessToken, [far]);
    try {
      secondAuth.tunnel.stall();
      expect(await end("consent", access, auths[0] ?? "")).to.equal(200);
      const answered = performance.now();
      await delay(LATEST_MILLISECONDS + 500);
      const last = lastServed(answers);
      expect(last - answered).to.be.below(LATEST_MILLISECONDS);
      secondAuth.tunnel.flow();
      secondAuth.tunnel.drop();
      await eventually(() => answers.at(-1)?.status === 401);
    } finally {
      await stop();
    }
  });
});
