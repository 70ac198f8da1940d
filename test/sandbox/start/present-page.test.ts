import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { makeDemoBank } from "../../../packages/sandbox/src/bank/demo-bank.ts";
import type { SandboxCore } from "../../../packages/sandbox/src/start/config.ts";
import { presentPage } from "../../../packages/sandbox/src/start/present-page.ts";
import { keepPsuCredentials } from "../../../packages/sandbox/src/start/psu-credentials.ts";
import { documentPeople, gatherFacts } from "../../../packages/sandbox/src/start/sandbox-facts.ts";
import { ANY_PORTS } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testCertificates } from "../../support/test-certificates.ts";

const DIRECTORY = "/home/jana/my boxes/jana's";
const READY = { certificate: "all-roles", clientId: "c", clientSecret: "s", redirectUri: "r", psu: "jana" };

describe("Page that npm start ends with", () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  /** Of a sandbox whose resource asks this, and which hands these variables on to auth. */
  async function pageOf(core: SandboxCore, forAuth: Readonly<Record<string, string>> = {}) {
    const bank = makeDemoBank({ seed: "sandbox", asOf: new Date() });
    const usernames = bank.psus.map(({ username }) => username);
    const people = documentPeople(bank, await keepPsuCredentials(join(path, "psus.json"), usernames));
    const urls = { auth: new Secret("a"), resource: new Secret("r") };
    const databases = { urls, embedded: [], passwords: { auth: "a", resource: "r" } };
    const certificates = await testCertificates();
    const ports = ANY_PORTS;
    const sources = { directory: DIRECTORY, ports, certificates, databases, people, core, forAuth };
    const facts = gatherFacts(sources);
    const page = presentPage(
      {
        ...facts,
        ca: `${DIRECTORY}/ca.pem`,
        certificates: facts.certificates.map((each) => ({
          ...each,
          certificate: `${DIRECTORY}/tpp/${each.name}.pem`,
          key: `${DIRECTORY}/tpp/${each.name}.key`,
        })),
        readyApplication:
          facts.login === null
            ? { ...READY, refreshToken: "t", tokens: { aisp: "token", pisp: "p", both: "b" } }
            : null,
        processes: { supervisor: 1, auth: 2, resource: 3, postgres: null },
      },
      { seconds: 1, workingDirectory: "/", codeStep: () => 0 },
    );
    return { facts, page };
  }

  it("does not mention the demo bank when an external core system is asked", async () => {
    const { page } = await pageOf(new URL("https://localhost:9555"));
    expect(page)
      .to.include(
        "Accounts and payments are those of the core system at https://localhost:9555/, of these PSUs",
      )
      .and.to.match(/TOTP secret\s*\n/)
      .and.not.to.match(/curl|npm run seed|tpp -- demo/);
    const { page: ofDemoBank } = await pageOf("connector");
    expect(ofDemoBank)
      .to.match(/TOTP secret +accounts\n/)
      .and.to.match(/npm run seed -- --transactions/);
  });

  const PROVIDER = { PSU_LOGIN: "oidc", UPSTREAM_ISSUER: "https://login.example" };

  it("says where PSUs sign in, and who has the accounts, when the demo PSUs cannot", async () => {
    const { page, facts } = await pageOf("direct", PROVIDER);
    expect(page)
      .to.include(
        "PSUs sign in at https://login.example, which sends them back to https://localhost:0/sign-in/",
      )
      .and.to.include(facts.psus[0]?.psuId)
      .and.to.match(/npm run tpp -- register\n +npm run tpp -- authorize\n/)
      .and.to.include("/sandbox/inbox/ID")
      .and.not.to.match(/password|curl|npm run tpp -- demo\n|authorize --psu/);
    const { page: ofBoth } = await pageOf(new URL("https://localhost:9555"), PROVIDER);
    expect(ofBoth)
      .to.include("https://localhost:9555/, of PSUs by their id at the provider")
      .and.not.to.include(facts.psus[0]?.psuId);
  });

  it("says where codes go when that is no inbox", async () => {
    const { page } = await pageOf("direct", { DELIVERY_URL: "https://localhost:9666/texts" });
    expect(page)
      .to.match(/are delivered to\n\n +https:\/\/localhost:9666\/texts\n/)
      .and.to.include("to the end of the consent, except a payment")
      .and.not.to.include("/sandbox/inbox");
  });

  it("has a curl line that a shell reads correctly, whatever the folder is called", async () => {
    const { facts, page } = await pageOf("direct");
    const shown = `${DIRECTORY}/tpp/all-roles`;
    const [, line = ""] = /^ {2}curl (.*)$/m.exec(page) ?? [];
    const words = execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
    expect(words.trim().split("\n")).to.deep.equal([
      ...["--cacert", `${DIRECTORY}/ca.pem`, "--cert", `${shown}.pem`, "--key", `${shown}.key`].map(fromRoot),
      ...["-H", "Authorization: Bearer token", `${facts.resourceBase}/my/accounts?size=3`],
    ]);
  });
});

/** As it is called in the working directory. */
function fromRoot(word: string): string {
  return word.replace(/^\//, "");
}
