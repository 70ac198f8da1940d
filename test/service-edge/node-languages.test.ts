import { configure as configureAuth } from "@cobs/auth";
import { configure as configureResource } from "@cobs/resource";
import { expect } from "chai";
import { configurationFaults } from "../support/configuration-faults.ts";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CONFIGURE = { auth: configureAuth, resource: configureResource };
const { supportedLocalesOf } = Intl.NumberFormat;

describe("Node.js that knows English alone", () => {
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
    Intl.NumberFormat.supportedLocalesOf = (locales) =>
      supportedLocalesOf(locales).filter((locale) => /^en\b/.test(locale));
  });
  after(() => {
    Intl.NumberFormat.supportedLocalesOf = supportedLocalesOf;
    return folder.remove();
  });

  for (const service of ["auth", "resource"] as const)
    it(`is refused by the configuration, as amounts on Czech pages would be misread (${service})`, () => {
      const environment = {
        ...environments[service],
        DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing",
      };
      expect(configurationFaults(() => CONFIGURE[service](environment))).to.deep.equal([
        "this Node.js has no data for Czech: use one with full ICU data, often a separate package (nodejs-full-i18n, icu-data-full)",
      ]);
    });
});
