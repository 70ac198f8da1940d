import { Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import type { ReadySandbox } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { type SandboxCore, startSandboxCore } from "../resource/connector/sandbox-core.ts";
import { eventually } from "../support/eventually.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { type CollectedSpan, startTraceCollector, type TraceCollector } from "../support/trace-collector.ts";
import { journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { type SecondAuth, startSecondAuth } from "./second-auth.ts";
import { type SecondResource, startSecondResource } from "./second-resource.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLERS_SPAN = "b7ad6b7169203331";
const LIMIT_MILLISECONDS = 30_000;

describe("Traced call through resource, auth and the core system", function traces() {
  this.timeout(120_000);
  let document: ReadySandbox;
  let collector: TraceCollector;
  let core: SandboxCore;
  let auth: SecondAuth;
  let resource: SecondResource;
  let tpp: TppClient;

  before(async () => {
    const sandbox = await journeySandbox();
    document = await sandbox.document();
    collector = await startTraceCollector();
    const more = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const layout = sandboxLayout(document.directory);
    const certificates = await writeSandboxCertificates(layout.certificates, new Date());
    core = await startSandboxCore(new Secret(document.databases.resource), certificates);
    auth = await startSecondAuth(sandbox, more);
    resource = await startSecondResource(sandbox, auth.bank, { ...core.environment, ...more });
    tpp = await journeyTpp(document.readyApplication.certificate);
  });
  after(async () => {
    await resource.stop();
    await auth.stop();
    await core.stop();
    await collector.close();
  });

  const ask = (headers: Readonly<Record<string, string>>) =>
    tpp.fetch(resource.accounts, {
      method: "GET",
      headers: { authorization: `Bearer ${document.readyApplication.tokens.aisp}`, ...headers },
      body: undefined,
      redirect: "manual",
    });
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (spans: readonly CollectedSpan[], service: string, name: RegExp) =>
    spans.find((span) => span.service === service && name.test(span.name));

  it("is one trace under its caller's, with a span for each part (W3C Trace Context)", async () => {
    const traceparent = `00-${TRACE_ID}-${CALLERS_SPAN}-01`;
    expect((await ask({ traceparent, tracestate: "vendor=1" })).status).to.equal(200);
    const call = () => named(spansOf(TRACE_ID), "resource", /^GET .*\/my\/accounts$/);
    const atAuth = () => named(spansOf(TRACE_ID), "auth", /^POST \/oauth\/introspect$/);
    await eventually(() => call() !== undefined && atAuth() !== undefined, LIMIT_MILLISECONDS);
    const spans = spansOf(TRACE_ID);
    expect(call()?.parentSpanId).to.equal(CALLERS_SPAN);
    expect(call()?.attributes).to.include({ "http.response.status_code": 200 });
    const question = named(spans, "resource", /^POST auth$/);
    expect(question?.parentSpanId).to.equal(call()?.spanId);
    expect(atAuth()?.parentSpanId).to.equal(question?.spanId);
    expect(named(spans, "auth", /^sql /)).not.to.equal(undefined);
    expect(named(spans, "resource", /^core /)?.parentSpanId).to.equal(call()?.spanId);
  });

  it("has its trace id in the log lines of both services", async () => {
    const isLogged = (service: SecondAuth | SecondResource) =>
      service.lines().some(({ msg, traceId }) => msg === "call" && traceId === TRACE_ID);
    // Lines are written together, a moment later.
    await eventually(() => [resource, auth].every(isLogged));
  });

  it("carries in its spans nothing from the call but its trace: no path, no token, nobody's name", async () => {
    const text = collector.bodies.join();
    expect(text).to.contain("/cobs/2.0/my/accounts");
    const { psus, readyApplication } = document;
    const told = [
      ...Object.values(readyApplication.tokens),
      readyApplication.clientId,
      ...psus.flatMap(({ psuId, displayName, accounts }) => [
        psuId,
        displayName,
        ...accounts.flatMap(({ id, iban }) => [id, iban]),
      ]),
    ].filter((each) => text.includes(each));
    expect(told).to.deep.equal([]);
  });

  it("gets a trace of its own when its caller's is malformed, of zeros or of a version that does not exist", async () => {
    const before = new Set(collector.spans.map(({ traceId }) => traceId));
    const callers = [
      "00-nonsense-b7ad6b7169203331-01",
      `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
      "ff-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ];
    for (const traceparent of callers) expect((await ask({ traceparent })).status).to.equal(200);
    const own = () =>
      collector.spans.filter(
        ({ traceId, service, parentSpanId, name }) =>
          !before.has(traceId) &&
          service === "resource" &&
          parentSpanId === undefined &&
          name.startsWith("GET "),
      );
    await eventually(() => own().length === callers.length, LIMIT_MILLISECONDS);
    const traces = new Set(own().map(({ traceId }) => traceId));
    expect(traces.size).to.equal(callers.length);
    for (const traceId of traces) expect(callers.join()).not.to.contain(traceId);
  });

  it("is answered as always when the collector is gone", async () => {
    await collector.close();
    expect((await ask({})).status).to.equal(200);
  });
});
