import { expect } from "chai";
import { runScript } from "../support/run-script.ts";

describe("OpenTelemetry", function openTelemetry() {
  this.timeout(120_000);
  let said: readonly string[];
  before(async () => {
    const run = await runScript("test/service-edge/loaded-for-traces.ts", []);
    expect(run.exitCode, run.stderr).to.equal(0);
    said = run.stdout.trim().split("\n");
  });

  it("is not loaded by either service while tracing is off", () => {
    expect(said[0]).to.equal("tracing off");
  });

  it("is loaded when tracing is on", () => {
    expect(said.slice(1)).to.include("@opentelemetry/api").and.include("tracing on");
  });
});
