import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { openSandboxBank, seedSandboxBank } from "@cobs/resource/sandbox";
import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { KIT_CHECKS, runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { DEMO_SEED, makeDemoBank } from "../../packages/sandbox/src/bank/demo-bank.ts";
import { startSandboxCore } from "../resource/connector/sandbox-core.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";
import { openCoreAt } from "./kit-at-core.ts";

const AS_OF = new Date();

/** A demo bank in a database of its own, as a core system. */
async function startDemoCore() {
  const url = new Secret(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
  const { log } = readableLog();
  const settings = { maxConnections: 4, applicationName: "seed", timeLimits: PATIENT };
  const database = openDatabase({ url, log, ...settings });
  const { psus, content } = makeDemoBank({ seed: DEMO_SEED, asOf: AS_OF });
  await seedSandboxBank(database, content);
  const core = await startSandboxCore(url, await testCertificates());
  const stop = async () => {
    await core.stop();
    await database.close();
  };
  return { url: core.url, psus, bank: openSandboxBank(database), stop };
}

describe("the demo bank under the test kit of the contract", function kitAtSandbox() {
  this.timeout(400_000);
  it("passes every check, whoever is paid, except those of shared IBANs, of which it has none", async () => {
    const { url, psus, bank, stop } = await startDemoCore();
    const kit = await openCoreAt(url);
    const [first, second] = psus.map(({ id }) => id);
    if (first === undefined || second === undefined) throw new Error("the demo bank has two PSUs at least");
    for (const [psu, otherPsu] of [
      [first, second],
      [second, first],
    ] as const) {
      const payee = (await bank.accountsOf(otherPsu))[0]?.iban;
      const results = await runKit({ core: kit, psu, otherPsu, payee });
      const others = results.filter(({ outcome }) => outcome !== "passed");
      expect(others.map(({ clause, outcome, seen }) => [clause, outcome, seen])).to.deep.equal(
        ["6.2", "6.3"].map((clause) => [
          clause,
          "not shown",
          "no two accounts of the PSU have the same IBAN",
        ]),
      );
      expect(results).to.have.length(KIT_CHECKS.length);
    }
    await kit.close();
    await stop();
  });
});
