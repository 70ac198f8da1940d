import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { ReadySandbox } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { dumpDatabase, placesOf } from "../support/database-dump.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { authorizePlainly } from "./plain-authorization.ts";

describe("Copy of both databases, after journeys in both profiles", function copies() {
  this.timeout(120_000);
  let document: ReadySandbox;
  let tpp: TppClient;
  const secrets: string[] = [];

  before(async () => {
    document = await (await journeySandbox()).document();
    tpp = await journeyTpp("all-roles");
    await goThroughJourneys();
  });

  /** Tokens of both profiles, and a code that is not redeemed. */
  async function goThroughJourneys(): Promise<void> {
    for (const register of [() => tpp.register(), () => tpp.registerFapi2("key")]) {
      await forgetUsedCodes(document);
      const application = await register();
      const { accessToken, refreshToken = "" } = await tpp.authorize(application, { psu: "petr" });
      expect((await tpp.get(accessToken, "/my/accounts")).status).to.equal(200);
      secrets.push(accessToken, refreshToken);
      if ("clientSecret" in application) secrets.push(application.clientSecret);
      else secrets.push(String(application.privateKey?.d));
    }
    const waiting = await tpp.register();
    secrets.push((await authorizePlainly(document, waiting, "jana")).code ?? "");
    const { readyApplication, psus } = document;
    const { clientSecret, tokens, refreshToken } = readyApplication;
    secrets.push(clientSecret, tokens.aisp, tokens.pisp, refreshToken);
    secrets.push(...psus.flatMap(({ password, totpSecret }) => [password, totpSecret]));
    secrets.push((await readFile(join(document.directory, "secrets", "sealing-key"), "utf8")).trim());
  }

  for (const service of ["auth", "resource"] as const) {
    it(`of ${service} holds none of the tokens, codes, secrets, passwords and keys, in any form`, async () => {
      const dump = await dumpDatabase(document.databases[service]);
      expect(dump.length).to.be.greaterThan(20);
      for (const secret of secrets) {
        expect(secret.length).to.be.greaterThan(8);
        expect(placesOf(dump, secret)).to.deep.equal([]);
      }
      const psu = document.psus[0]?.psuId ?? "";
      expect(placesOf(dump, psu)).not.to.deep.equal([]);
    });
  }
});
