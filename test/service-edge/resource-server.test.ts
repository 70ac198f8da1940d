import { configure as configureAuth } from "@cobs/auth";
import { configure as configureResource } from "@cobs/resource";
import { expect } from "chai";
import { configurationFaults } from "../support/configuration-faults.ts";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CONFIGURE = { auth: configureAuth, resource: configureResource };
const DATABASE_URL = "postgresql://nobody@127.0.0.1:1/nothing";
const AUDIENCE = "https://api.bank.example/cobs/2.0";

describe("RESOURCE_SERVER, the audience of access tokens", () => {
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
  });
  after(() => folder.remove());

  for (const service of ["auth", "resource"] as const) {
    const configureWith = (RESOURCE_SERVER: string) =>
      CONFIGURE[service]({ ...environments[service], DATABASE_URL, RESOURCE_SERVER });

    it(`is kept exactly as written (${service})`, () => {
      for (const right of [AUDIENCE, `${AUDIENCE}/`, "https://API.bank.example:443"])
        expect(configureWith(right).resourceServer).to.equal(right);
    });

    it(`is refused unless an https URL in usual spelling, without fragment or space (RFC 8707 2) (${service})`, () => {
      const spaced = [` ${AUDIENCE}`, `${AUDIENCE} `, `${AUDIENCE}\r`];
      for (const wrong of [
        ...spaced,
        `${AUDIENCE}#a`,
        "HTTPS://api.bank.example",
        "http://bank.example",
        "https://",
      ])
        expect(
          configurationFaults(() => configureWith(wrong)),
          wrong,
        ).to.deep.equal([
          "RESOURCE_SERVER: must be an https URL without a fragment, and without space around it",
        ]);
    });
  }
});
