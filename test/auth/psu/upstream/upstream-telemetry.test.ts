import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { RawAnswer } from "../../../support/raw-https.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { startTraceCollector, type TraceCollector } from "../../../support/trace-collector.ts";
import { type DeliveryStandIn, startDeliveryStandIn } from "../../delivery/delivery-stand-in.ts";
import { openBrowser, type PsuBrowser } from "../../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../../running-auth.ts";
import { openDesk, pathOf } from "../../signing/signing-desk.ts";
import { type AtBank, CLIENT_SECRET } from "./bank-provider.ts";
import { type RunningUpstream, runUpstream } from "./running-upstream.ts";

const JANA: AtBank = { psu: "psu-jana", name: "Jana Nováková" };
/** Parameters of the question and the answer whose values are in the configuration, or in everybody's. */
const PUBLIC =
  /^(client_id|scope|response_type|redirect_uri|acr_values|code_challenge_method|ui_locales|iss)$/;
const SHORTEST_SECRET = 6;

describe("Telemetry of a sign-in at the bank's own OpenID provider, and of an approval", function telemetry() {
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let service: DeliveryStandIn;
  let collector: TraceCollector;
  let auth: RunningAuth;
  let metrics: string;
  const secrets = new Set<string>([JANA.psu, JANA.name, CLIENT_SECRET, "CZ6508000000192000145399"]);

  const keep = (value: string) => value.length >= SHORTEST_SECRET && secrets.add(value);
  function keepQuery(url: URL): void {
    for (const [name, value] of url.searchParams) if (!PUBLIC.test(name)) keep(value);
  }

  /** Signs in for an order, and approves it with the code from the PSU's device. */
  async function approve(browser: PsuBrowser): Promise<RawAnswer> {
    const desk = await openDesk(auth);
    keep(desk.application.client_secret);
    const asked = new URL(String((await browser.get(pathOf(await desk.request()))).headers.location));
    const back = await upstream.provider.signIn(asked.href, JANA);
    for (const url of [asked, back]) keepQuery(url);
    const page = await browser.follow(await browser.get(back.href.slice(ISSUER.length)));
    const text = String(service.posted.at(-1)?.body.text);
    const code = /\d{4} \d{4}/.exec(text)?.[0] ?? "";
    for (const value of [text, code, code.replace(" ", "")]) keep(value);
    for (const { value } of browser.cookies.values()) keep(value);
    return browser.follow(await browser.post(page, "approve", { code }));
  }

  before(async () => {
    const { server, privateCaFile } = await testCertificates();
    upstream = await runUpstream();
    service = await startDeliveryStandIn(server.resourceBank, readFileSync(privateCaFile, "utf8"));
    collector = await startTraceCollector();
    const traces = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    auth = await runAuth({ ...upstream.variables, ...traces, DELIVERY_URL: service.url });
    auth.clock.setWall(Date.now() - auth.clock.now().getTime());
    const { status } = await approve(openBrowser(auth));
    expect([status, secrets.size > 12]).to.deep.equal([200, true]);
    metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
    // Sends the last spans.
    await auth.stop();
  });
  after(async () => {
    await Promise.all([upstream.close(), service.close(), collector.close()]);
  });

  it("has a span for each question to the provider and to the delivery service, within their calls", () => {
    const routeOf = (id: string | undefined) => collector.spans.find(({ spanId }) => spanId === id)?.name;
    const asked = collector.spans.filter(({ name }) => / (login|delivery)$/.test(name));
    expect(asked.map(({ name, parentSpanId }) => `${name} in ${routeOf(parentSpanId)}`)).to.have.members([
      "GET login in GET /sign/:id",
      "POST login in GET /sign/:id/return",
      "GET login in GET /sign/:id/return",
      "POST delivery in GET /sign/:id",
    ]);
    const [posted] = service.posted;
    expect(Object.keys(posted?.headers ?? {})).to.not.include.members(["traceparent"]);
  });

  it("has no secret, parameter, cookie, text or person in its spans, figures and log lines (LOG-01)", () => {
    const told = { spans: collector.bodies.join(), metrics, log: JSON.stringify(auth.logLines) };
    for (const [where, text] of Object.entries(told)) {
      expect(text, where).to.contain("/sign/:id/return");
      expect(
        [...secrets].filter((secret) => text.includes(secret)),
        where,
      ).to.deep.equal([]);
    }
  });
});
