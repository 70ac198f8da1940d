import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { allMetrics, type DescribedMetric, OF_NODE } from "../../scripts/operations/all-metrics.ts";
import { operationsTables } from "../../scripts/operations/tables.ts";
import { eventually } from "../support/eventually.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { goThroughRecordedJourney, type Secrets } from "./recorded-journey.ts";

const SERVICES = ["auth", "resource"] as const;
/** Only where a service is configured with these: Redis, a core system behind the connector. */
const CONFIGURED = /^(redis|core|processes)_/;
/** What `oidc-provider` says at its start on a Node.js that is past its end of life. */
const NO_LINE_OF_OURS = /^oidc-provider WARNING: Unsupported runtime/;

describe("What an operator sees of a whole journey:", function operations() {
  this.timeout(180_000);
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  let secrets: Secrets;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
    const tpp = await journeyTpp("all-roles");
    await forgetUsedCodes(document);
    secrets = await goThroughRecordedJourney(document, tpp);
  });

  const logOf = (service: string) =>
    // What stands behind the last line break is being written.
    readFileSync(join(sandbox.directory, "logs", `${service}.log`), "utf8")
      .split("\n")
      .slice(0, -1);
  const metricsOf = async (service: (typeof SERVICES)[number]) =>
    (await fetch(`${document[service].operator}/metrics`)).text();

  for (const service of SERVICES)
    describe(`the log of ${service}`, () => {
      it("has one JSON line per call, with its request id (LOG-02)", () => {
        const lines = logOf(service).filter((line) => line !== "" && !NO_LINE_OF_OURS.test(line));
        const calls = lines.map((line) => Object(JSON.parse(line))).filter(({ msg }) => msg === "call");
        expect(calls.length).to.be.greaterThan(5);
        for (const call of calls) {
          expect(call.requestId).to.match(/^[0-9a-f-]{36}$/);
          expect(call).to.include.keys("time", "service", "listener", "method", "route", "status", "seconds");
        }
        const listeners = service === "auth" ? ["browser", "mutual-tls", "bank"] : ["mutual-tls", "bank"];
        expect(calls.map(({ listener }) => listener)).to.include.members(listeners);
        expect(new Set(calls.map(({ requestId }) => requestId)).size).to.equal(calls.length);
      });

      it("has no secret, token, code, cookie, name or account of anybody (LOG-01, LOG-05)", () => {
        expect(secrets.size).to.be.greaterThan(15);
        const lines = logOf(service);
        const found = [...secrets].filter(([secret]) => lines.some((line) => holds(line, secret)));
        expect(found.map(([secret, what]) => `${what}: ${secret}`)).to.deep.equal([]);
      });

      it("has none of these in the figures of the service either", async () => {
        const lines = (await metricsOf(service)).split("\n");
        const found = [...secrets.keys()].filter((secret) => lines.some((line) => holds(line, secret)));
        expect(found).to.deep.equal([]);
      });
    });

  for (const service of SERVICES)
    describe(`the figures of ${service}`, () => {
      let text: string;
      let described: readonly DescribedMetric[];
      before(async () => {
        text = await metricsOf(service);
        described = (await allMetrics()).filter(({ services }) => services.includes(service));
      });

      it("have every metric of the table, as the table describes it, and no other", () => {
        const shown = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)]
          .map(([, name = "", help, type]) => ({ name, help, type }))
          .filter(({ name }) => !OF_NODE.test(name) && !CONFIGURED.test(name));
        const expected = described.filter(({ name }) => !CONFIGURED.test(name));
        expect(shown).to.have.deep.members(expected.map(({ name, help, type }) => ({ name, help, type })));
      });

      it("have names as Prometheus wants them: counters end in _total, times are in seconds", () => {
        for (const { name, type, help } of described) {
          expect(name).to.match(/^[a-z][a-z0-9_]*$/);
          expect(name.endsWith("_total"), name).to.equal(type === "counter");
          expect(name).not.to.match(/(milli|micro|minute|hour|_ms)(_|s_|$)/);
          if (type === "histogram") expect(name).to.match(/_(seconds|bytes)$/);
          expect(help).to.match(/\.$/);
        }
      });

      it("have label values from closed lists, never what came with a call", () => {
        for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
          if (OF_NODE.test(name)) continue;
          for (const [, label, value = ""] of labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) {
            if (label === "le") continue;
            expect(value, `${name} ${label}`).to.match(/^[a-zA-Z0-9_.:/ -]{1,100}$/);
            expect(value, `${name} ${label}`).not.to.match(/[0-9a-f]{8}|\d{4}/);
          }
        }
      });

      it("have a bounded number of series", () => {
        const names = [...text.matchAll(/^([a-z_]+)(?:\{| )/gm)].map(([, name = ""]) => name);
        const counts = new Map<string, number>();
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
        for (const [name, count] of counts) expect(count, name).to.be.below(1_500);
        expect(names.length).to.be.below(6_000);
      });
    });

  it("auth's line of each introspection has the request id of the resource call that caused it", () => {
    const read = (service: string) =>
      logOf(service).flatMap((line) => (line.startsWith("{") ? [Object(JSON.parse(line))] : []));
    const asked = read("auth").filter(({ route }) => route === "/oauth/introspect");
    const calls = new Set(read("resource").map(({ requestId }) => requestId));
    const named = asked.filter(({ callerRequestId }) => callerRequestId !== undefined);
    expect(named.length).to.be.greaterThan(0);
    for (const { callerRequestId } of named) expect(calls.has(callerRequestId)).to.equal(true);
  });

  it("the figures show the journey: consent, sign-in, approval, payment, refusals, statements, jobs", async () => {
    // Audit entries are counted when they are sealed, a second later.
    const approved = /^audit_sealed_total\{action="signing\.approved",actor="psu",.*\} [1-9]/m;
    await eventually(async () => approved.test(await metricsOf("auth")));
    const [auth, resource] = await Promise.all(SERVICES.map(metricsOf));
    const shows = (text: string | undefined, pattern: RegExp) => expect(text).to.match(pattern);
    shows(auth, /^audit_sealed_total\{action="consent\.given",actor="psu",.*\} [1-9]/m);
    shows(auth, /^audit_sealed_total\{action="psu\.signed_in",actor="psu",.*\} [1-9]/m);
    shows(auth, /^deliveries_total\{purpose="payment_approval",outcome="taken".*\} [1-9]/m);
    shows(auth, /^http_requests_total\{.*route="\/oauth\/token".*status="200".*\} [1-9]/m);
    shows(auth, /^event_feed_position\{.*\} [1-9]/m);
    shows(auth, /^job_rounds_total\{name="cleaning",outcome="done",.*\} [1-9]/m);
    shows(auth, /^service_ready\{check="database",.*\} 1$/m);
    for (const certificate of ["mutual-tls", "bank", "browser", "bank-client"])
      shows(
        auth,
        new RegExp(`^own_certificate_end_timestamp_seconds\\{certificate="${certificate}",.*\\} [1-9]`, "m"),
      );
    shows(resource, /^payment_duration_seconds_count\{.*state="completed".*\} [1-9]/m);
    shows(resource, /^payment_entries_total\{outcome="duplicate".*\} [1-9]/m);
    shows(resource, /^admission_refusals_total\{code="token_(malformed|in_query|inactive)".*\} [1-9]/m);
    shows(resource, /^auth_endings_behind\{.*\} 0$/m);
    shows(resource, /^service_draining\{.*\} 0$/m);
    shows(resource, /^database_statements_total\{statement="payment-move".*\} [1-9]/m);
  });

  it("the README of operations has the current tables", async () => {
    const readme = readFileSync("scripts/operations/README.md", "utf8");
    for (const [name, table] of Object.entries(await operationsTables()))
      expect(readme).to.include(`<!-- generated:${name} -->\n${table}\n<!-- /generated:${name} -->`);
  });
});

/** Whether a line holds a secret; one of digits alone, only where it is no part of a longer number, a hash or a UUID. */
function holds(line: string, secret: string): boolean {
  if (!/^[\d ]+$/.test(secret)) return line.includes(secret);
  return new RegExp(`(?<![\\da-f.:-])${secret}(?![\\da-f.:-])`).test(line);
}
