/** Whose orders end with a consent: those of its PSU at its application, whoever else pays by that application (PAY-14). */
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { twoProcesses } from "./auth-database.ts";
import { type Scene, signingScenes } from "./signing-scenes.ts";
import { storeApplication } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

const WITHDRAWN = { by: "psu", reason: "withdrawn", act: psuAct() } as const;

describe("Orders that wait beside those of somebody else", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { signings, consents, give, newPayer, newScene, termsOf, ask, waiting, approve, find } =
    signingScenes(() => databases);
  const findEnd = (scene: Scene) =>
    signings().findConsentEnd({ ...scene, organisationIdentifier: scene.owner });

  const NEIGHBOURS: Readonly<Record<string, (scene: Scene) => Promise<Scene>>> = {
    "another PSU at the same application": (scene) => newPayer(scene),
    "the same PSU at another application of the TPP": async (scene) => {
      const payer = { ...scene, applicationId: await storeApplication(databases[0], scene.owner) };
      return { ...payer, consent: await give({ ...payer, services: ["pisp"] }) };
    },
  };
  for (const [neighbour, consentBeside] of Object.entries(NEIGHBOURS)) {
    for (const newer of ["the consent that ends", "the consent that stays"] as const) {
      it(`end with their own consent, and not with that of ${neighbour}, when ${newer} has replaced one (PAY-14)`, async () => {
        const scene = await newScene();
        const beside = await consentBeside(scene);
        const [own, others] = [await waiting(scene), await waiting(beside)];
        const isOwn = newer === "the consent that ends";
        const second = await give({ ...(isOwn ? scene : beside), services: ["pisp"] });
        await consents().end(isOwn ? second : scene.consent, WITHDRAWN);
        expect(await find(own)).to.include({ state: "cancelled", because: "consent_ended" });
        expect(await findEnd(scene)).to.equal("ended");
        expect((await ask(termsOf(scene))).result).to.equal("consent_ended");
        expect(await findEnd(beside)).to.equal(undefined);
        expect((await ask(termsOf(beside))).result).to.equal("created");
        expect((await approve(others))?.request.state).to.equal("approved");
      });
    }
  }
});
