import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { type ProgramRun, runProgram } from "../support/program.ts";
import { journeySandbox, journeyTpp } from "./journey-sandbox.ts";

const NAME = "the-call-that-was-refused";

describe("Operator's command on a sandbox", function operatorCommand() {
  this.timeout(120_000);

  async function refusedAt(url: string): Promise<string> {
    const tpp = await journeyTpp("wrong-qsealc");
    const headers = { "x-request-id": NAME };
    const answer = await tpp.fetch(url, { method: "GET", headers, body: undefined, redirect: "manual" });
    await answer.body?.cancel();
    expect(answer.status).to.equal(401);
    return String(answer.headers.get("x-request-id"));
  }

  async function refusal(...line: readonly string[]): Promise<ProgramRun> {
    const { environment } = await journeySandbox();
    return runProgram("packages/sandbox/src/operator/main.ts", ["refusal", ...line], environment);
  }

  it("explains a certificate that either service refused, by the request id alone", async () => {
    const { auth, resourceBase } = await (await journeySandbox()).document();
    const calls = {
      auth: `${auth.mutualTls}/cobs/2.0/applications`,
      resource: `${resourceBase}/my/accounts`,
    };
    for (const [service, url] of Object.entries(calls)) {
      const requestId = await refusedAt(url);
      // Both calls have the same name: the other service may know it first.
      await eventually(async () => (await refusal(requestId)).stdout.includes(`At ${service}:`), 20_000);
      const explained = await refusal(requestId);
      expect(explained.stderr).to.equal("");
      expect(explained.stdout).to.include(`At ${service}:`).and.to.include("REFUSED with qc_type_not_web");
    }
    const { refusals } = JSON.parse((await refusal(NAME, "--json")).stdout);
    expect(refusals.map(({ service }: { service: string }) => service)).to.deep.equal(["auth", "resource"]);
    expect(await refusal("unknown")).to.include({ exitCode: 3 });
  });
});
