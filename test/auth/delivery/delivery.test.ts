import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { expect } from "chai";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { startWaiting } from "../../support/stopwatch.ts";
import { testCertificates } from "../../support/test-certificates.ts";
import { openBrowser, signIn } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { SEPA_ORDER } from "../signing/sample-orders.ts";
import { openDesk, pathOf, type SigningDesk } from "../signing/signing-desk.ts";
import { type DeliveryStandIn, startDeliveryStandIn, take } from "./delivery-stand-in.ts";

/** What is written for whoever builds such a service. */
const CHAPTER =
  readFileSync("packages/auth/BANK-INTERFACES.md", "utf8").split(/^## Delivery of texts$/m)[1] ?? "";

describe("Delivery of codes through a service of the bank", function delivering() {
  this.timeout(120_000);
  let service: DeliveryStandIn;
  let auth: RunningAuth;
  let desk: SigningDesk;
  before(async () => {
    const { server, privateCaFile } = await testCertificates();
    service = await startDeliveryStandIn(server.resourceBank, readFileSync(privateCaFile, "utf8"));
    // Whatever the login is: that of the sandbox stands for the bank's own.
    auth = await runAuth({ DELIVERY_URL: service.url }, undefined, { mode: "production" });
    desk = await openDesk(auth);
  });
  after(async () => {
    await auth.stop();
    await service.close();
  });
  beforeEach(() => {
    auth.clock.advance(3_600_000);
    service.react = take;
  });

  const headingOf = ({ body }: RawAnswer) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];
  const newest = () => service.posted.at(-1) ?? expect.fail("nothing was posted");
  const newestCode = () => /\d{4} \d{4}/.exec(String(newest().body.text))?.[0] ?? "";
  const stateOf = async ({ id }: { id: string }) => (await desk.find(id)).state;

  it("posts each text once, with the documented members, under our client certificate (RTS Articles 5(2), 9)", async () => {
    const before = service.posted.length;
    const told = await desk.request();
    const { page } = await desk.arrive(told);
    expect([page.status, service.posted.length]).to.deep.equal([200, before + 1]);
    const { headers, caller, method, path, body } = newest();
    expect([method, path, caller]).to.deep.equal(["POST", "//texts?bank=1", "auth"]);
    expect(headers).to.include({ "content-type": "application/json" });
    expect(Object.keys(body).toSorted()).to.deep.equal(
      ["expiresAt", "id", "language", "psu", "purpose", "requestId", "text"].toSorted(),
    );
    const [table = "", example = ""] = CHAPTER.split("```json");
    const described = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(described).to.have.members(Object.keys(body));
    expect(JSON.parse(example.split("```")[0] ?? "")).to.have.all.keys(Object.keys(body));
    expect(body).to.include({ psu: "psu-jana", language: "cs", purpose: "payment_approval" });
    expect(body.id).to.be.a("string").and.equal(headers["idempotency-key"]);
    expect(body.text).to.include("1\u00a0500,50\u00a0CZK").and.include("CZ65 0800 0000 1920 0014 5399");
    expect(new Date(String(body.expiresAt)).getTime()).to.equal(auth.clock.now().getTime() + 300_000);
  });

  it("is described with a text that an order really gets: of a payment whose payee has a name (COBS 3.2.4)", () => {
    const example = JSON.parse(CHAPTER.split("```json")[1]?.split("```")[0] ?? "");
    const { writeCodeText } = createPages({ bankName: "Demo Bank" });
    const text = writeCodeText("12345678", { ...SEPA_ORDER, amount: "1500.50" }, "en");
    expect(example.text).to.equal(text.replaceAll("\u00a0", " "));
  });

  it("lets a PSU approve outside the sandbox, where no page shows a message", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    expect(page.body).to.not.include("/sandbox/");
    await browser.post(page, "approve", { code: newestCode() });
    expect(await stateOf(told)).to.equal("approved");
    for (const path of ["/sandbox/inbox/psu-jana", "/sandbox/messages/psu-jana"])
      expect((await auth.browse({ path })).status, path).to.equal(404);
  });

  it("takes 200, 201 and 204 for sent, and no other success", async () => {
    const { browser } = await desk.arrive(await desk.request());
    for (const [status, shown] of [
      [200, 200],
      [201, 200],
      [204, 200],
      [203, 503],
      [206, 503],
    ] as const) {
      service.react = (response) => response.writeHead(status).end();
      expect((await browser.get(pathOf(await desk.request()))).status, String(status)).to.equal(shown);
    }
  });

  /** Breaks off one request and refuses the next, by turns. */
  function refusingRepetitions(): (response: ServerResponse) => void {
    let isRepetition = true;
    return (response) => {
      isRepetition = !isRepetition;
      if (isRepetition) response.writeHead(409).end();
      else response.socket?.destroy();
    };
  }

  const failures: readonly [string, (response: ServerResponse) => void, number][] = [
    ["refuses", (response) => response.writeHead(503).end(), 1],
    ["does not know the PSU", (response) => response.writeHead(422).end(), 1],
    ["leads elsewhere", (response) => response.writeHead(302, { location: "https://localhost/" }).end(), 1],
    ["breaks off", (response) => response.socket?.destroy(), 2],
    ["never answers", () => undefined, 2],
    ["leaves one request unanswered and refuses its repetition", refusingRepetitions(), 2],
    ["talks without end", (response) => response.writeHead(200).write("x".repeat(100_000)), 2],
  ];
  for (const [what, react, times] of failures) {
    it(`answers 503 in time when the service ${what}, and takes no code of that text`, async () => {
      const told = await desk.request();
      service.react = react;
      const before = service.posted.length;
      const waited = startWaiting();
      const { browser, page } = await desk.arrive(told);
      expect(waited()).to.be.below(8_000);
      expect([page.status, page.headers["retry-after"]]).to.deep.equal([503, "2"]);
      expect(headingOf(page)).to.equal("Kód se nepodařilo poslat");
      const keys = service.posted.slice(before).map(({ headers }) => headers["idempotency-key"]);
      expect(keys).to.have.length(times);
      expect(new Set(keys).size, "sent again under the same key").to.equal(1);
      const lost = newestCode();
      service.react = take;
      const anew = await browser.get(pathOf(told));
      expect([anew.status, headingOf(anew)]).to.deep.equal([200, "Schvalujete tuto platbu?"]);
      expect((await browser.post(anew, "approve", { code: lost })).status).to.equal(422);
      await browser.post(anew, "approve", { code: newestCode() });
      expect(await stateOf(told)).to.equal("approved");
    });
  }

  it("takes no second answer to one text for the answer to the next", async () => {
    const { browser } = await desk.arrive(await desk.request());
    let first: Writable | null = null;
    service.react = (response) => {
      first = response.socket;
      take(response);
    };
    expect((await browser.get(pathOf(await desk.request()))).status).to.equal(200);
    service.react = (response) => {
      first?.write("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
      response.writeHead(503).end();
    };
    expect((await browser.get(pathOf(await desk.request()))).status).to.equal(503);
  });

  it("lets the PSU refuse an order whose code cannot be sent", async () => {
    const told = await desk.request();
    service.react = (response) => response.writeHead(503).end();
    const { browser, page } = await desk.arrive(told);
    expect(page.body, "what is refused").to.include("Částka");
    const refused = await browser.post(page, "refuse");
    expect([refused.status, await stateOf(told)]).to.deep.equal([303, "refused"]);
  });

  it("keeps the code of a later text when an earlier one fails only afterwards", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const failing: ServerResponse[] = [];
    service.react = (response) => void failing.push(response);
    const given = browser.post(page, "code");
    await eventually(() => failing.length === 1);
    service.react = take;
    const { status } = await browser.post(page, "code");
    const code = newestCode();
    failing[0]?.writeHead(503).end();
    expect([(await given).status, status]).to.deep.equal([503, 303]);
    await browser.post(page, "approve", { code });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("uses up no code of an order while the service is away, whichever button is pressed", async () => {
    const told = await desk.request();
    service.react = (response) => response.writeHead(503).end();
    const { browser } = await desk.arrive(told);
    for (let tried = 0; tried < 8; tried += 1) expect((await browser.get(pathOf(told))).status).to.equal(503);
    service.react = take;
    const page = await browser.get(pathOf(told));
    service.react = (response) => response.writeHead(503).end();
    expect((await browser.post(page, "code")).status).to.equal(503);
    service.react = take;
    const back = await browser.get(pathOf(told));
    await browser.post(back, "approve", { code: newestCode() });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("posts at most thirty texts an hour for a PSU, even if the service refuses them", async () => {
    service.react = (response) => response.writeHead(503).end();
    const before = service.posted.length;
    const { browser } = await desk.arrive(await desk.request());
    const answers: number[] = [];
    for (let tried = 0; tried < 35; tried += 1)
      answers.push((await browser.get(pathOf(await desk.request()))).status);
    expect(service.posted.length - before).to.equal(30);
    expect(answers.slice(-6)).to.deep.equal(Array(6).fill(429));
  });

  it("counts each text that is not delivered, whose PSU the audit names by the request of its line (scripts/operations)", async () => {
    const count = async (outcome: string) => {
      const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
      const series = new RegExp(
        `^deliveries_total\\{purpose="payment_approval",outcome="${outcome}".*\\} (\\d+)$`,
        "m",
      );
      return Number(series.exec(metrics)?.[1]);
    };
    const before = [await count("failed"), await count("taken")] as const;
    service.react = (response) => response.writeHead(422).end();
    const told = await desk.request();
    const { browser } = await desk.arrive(told);
    for (let tried = 1; tried < 3; tried += 1) await browser.get(pathOf(told));
    expect([await count("failed"), await count("taken")]).to.deep.equal([before[0] + 3, before[1]]);
    const failed = auth.logLines.findLast(({ msg }) => msg === "a text could not be delivered");
    expect(failed?.reason).to.equal("the delivery service answered 422");
    const text = "SELECT action, actor FROM audit_entry WHERE request_id = $1 ORDER BY id";
    const entries = await auth.database.run({ name: "", text, values: [failed?.requestId] });
    expect(entries).to.deep.include({ action: "signing.code_undelivered", actor: "psu-jana" });
  });

  it("logs no word of a text that could not be delivered (LOG-01)", async () => {
    service.react = (response) => response.writeHead(503).end();
    await desk.arrive(await desk.request({ order: { creditorName: "Neverlogged" } }));
    const failed = auth.logLines.findLast(({ msg }) => msg === "a text could not be delivered");
    expect(failed).to.include({
      requestId: newest().body.requestId,
      delivery: newest().body.id,
      reason: "the delivery service answered 503",
    });
    const log = JSON.stringify(auth.logLines);
    for (const secret of ["Neverlogged", newestCode(), newestCode().replace(" ", "")])
      expect(log).to.not.include(secret);
  });

  it("refuses orders where none is configured (501)", async () => {
    const signing = { delivery: { kind: "none" }, codesPerHour: 30 } as const;
    const none = await runAuth({}, undefined, { mode: "production", signing });
    try {
      const { status, body } = await (await openDesk(none)).ask();
      expect([status, JSON.parse(body).error]).to.deep.equal([501, "signing_off"]);
      expect((await none.browse({ path: `/sign/${"a".repeat(22)}` })).status).to.equal(404);
    } finally {
      await none.stop();
    }
  });

  it("posts nothing to a service without a certificate of the private CA", async () => {
    const foreign = await runAuth({ DELIVERY_URL: `https://localhost:${auth.ports.browser}/` }, auth);
    try {
      const browser = openBrowser(foreign);
      const page = await browser.get(pathOf(await desk.request()));
      const answer = await browser.follow(await signIn(foreign, browser, page));
      expect([answer.status, headingOf(answer)]).to.deep.equal([503, "Kód se nepodařilo poslat"]);
      const failed = foreign.logLines.findLast(({ msg }) => msg === "a text could not be delivered");
      expect(failed?.reason).to.match(/certificate/);
    } finally {
      await foreign.stop();
    }
  });
});
