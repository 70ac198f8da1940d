import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { expect } from "chai";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";
import type { TestCall } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

const BALANCE_CHECK = { method: "POST", path: "/cobs/2.0/accounts/balanceCheck" };

interface AnchorFile {
  readonly environment: string;
  readonly version: number;
  readonly revision: number;
  readonly anchors: readonly unknown[];
}

describe("the trust anchors of a running resource server", () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "anchors.json");
  let ours: SandboxCertificates;
  let theirs: SandboxCertificates;
  let resource: RunningResource;
  let agent: Agent;

  before(async () => {
    ours = await testCertificates();
    theirs = await writeSandboxCertificates(join(folder.path, "other-authority"), new Date());
  });
  beforeEach(async () => {
    replaceFile({ revision: 5 });
    resource = await runResource({ TRUST_ANCHORS_FILE: file });
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    await resource.stop();
  });
  after(() => folder.remove());

  const anchorsOf = ({ anchorsFile }: SandboxCertificates): AnchorFile =>
    JSON.parse(readFileSync(anchorsFile, "utf8"));

  /** As an operator should: whole, under its name at once. */
  function replaceFile(changed: Partial<AnchorFile>): void {
    writeFileSync(`${file}.new`, JSON.stringify({ ...anchorsOf(ours), ...changed }));
    renameSync(`${file}.new`, file);
  }

  async function statusOfTheirs(way: Pick<TestCall, "agent"> = {}): Promise<number> {
    const keyPair = theirs.tpp.find(({ name }) => name === "cisp");
    if (keyPair === undefined) throw new TypeError("there is no certificate cisp");
    return (await resource.call({ ...BALANCE_CHECK, ...way, keyPair })).status;
  }
  const statusOfOurs = async () =>
    (await resource.call({ ...BALANCE_CHECK, certificate: "cisp", agent })).status;

  it("admit a TPP of a newly trusted authority without a restart", async () => {
    expect(await statusOfTheirs()).to.equal(401);
    replaceFile({ revision: 6, anchors: [...anchorsOf(ours).anchors, ...anchorsOf(theirs).anchors] });
    await eventually(async () => (await statusOfTheirs()) === 400);
    expect(await statusOfOurs()).to.equal(400);
    expect(await resource.metric("trust_anchors_revision")).to.equal(6);
    expect(await resource.metric("trust_anchors{")).to.equal(4);
  });

  it("admit a TPP of a newly trusted authority also when it keeps its connections", async () => {
    expect(await statusOfTheirs({ agent })).to.equal(401);
    replaceFile({ revision: 6, anchors: [...anchorsOf(ours).anchors, ...anchorsOf(theirs).anchors] });
    await eventually(async () => (await statusOfTheirs({ agent })) === 400);
  });

  it("refuse a TPP of an authority that is no longer trusted, on its open connection", async () => {
    expect(await statusOfOurs()).to.equal(400);
    const [connection] = Object.values(agent.freeSockets).flat();
    replaceFile({ revision: 6, anchors: anchorsOf(theirs).anchors });
    await eventually(async () => (await statusOfOurs()) === 401);
    expect(resource.lastCall()).to.include({ refusal: "chain_untrusted" });
    expect(Object.values(agent.freeSockets).flat()).to.deep.equal([connection]);
  });

  const REFUSED: Readonly<Record<string, readonly [() => void, RegExp]>> = {
    "is no JSON": [() => writeFileSync(file, "{"), /./],
    "has an older revision": [
      () => replaceFile({ revision: 4, anchors: anchorsOf(theirs).anchors }),
      /revision 4/,
    ],
    "has other content under the same revision": [
      () => replaceFile({ revision: 5, anchors: anchorsOf(theirs).anchors }),
      /raise it/,
    ],
    "is of another environment": [
      () => replaceFile({ revision: 6, environment: "production" }),
      /production anchors/,
    ],
    "holds a malformed certificate": [() => replaceFile({ revision: 6, anchors: [{}] }), /./],
  };
  for (const [what, [replace, reason]] of Object.entries(REFUSED)) {
    it(`stay in force when the new file ${what}, as the log and a metric report`, async () => {
      replace();
      await eventually(async () => (await resource.metric("trust_anchor_refusals_total")) === 1);
      const told = resource.logLines.find(({ msg }) => String(msg).startsWith("the trust anchor file"));
      expect(String(told?.reason)).to.match(reason);
      expect(await statusOfOurs()).to.equal(400);
      expect(await resource.metric("trust_anchors_revision")).to.equal(5);
      expect(await resource.metric("trust_anchors_file_refused")).to.equal(1);
      replaceFile({ revision: 5 });
      await eventually(async () => (await resource.metric("trust_anchors_file_refused")) === 0);
    });
  }
});
