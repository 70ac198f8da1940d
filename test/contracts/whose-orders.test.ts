/** Whose orders end with a consent: those of its PSU at its application, whoever else pays by that application (PAY-14). */
import { type Database, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { holdPaymentConsent } from "../../packages/auth/src/signing/payment-consent-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { type Scene, SERVER, signingScenes } from "./signing-scenes.ts";
import { storeApplication } from "./stored-tpp.ts";
import { operatorAct, psuAct } from "./test-acts.ts";

const JANA = operatorAct("jana");
const WITHDRAWN = { by: "psu", reason: "withdrawn", act: psuAct() } as const;

describe("Waiting orders beside those of somebody else", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { signings, consents, give, newPayer, newScene, termsOf, ask, waiting, approve, find, until } =
    signingScenes(() => databases);
  const findEnd = (scene: Scene) =>
    signings().findConsentEnd({ ...scene, organisationIdentifier: scene.owner });

  const applications = () => createApplicationStore(databases[0], endConsentsOfApplication);

  async function newApplicationOf(scene: Scene): Promise<Scene> {
    const payer = { ...scene, applicationId: await storeApplication(databases[0], scene.owner) };
    return { ...payer, consent: await give({ ...payer, services: ["pisp"] }) };
  }
  const NEIGHBOURS: Readonly<Record<string, (scene: Scene) => Promise<Scene>>> = {
    "another PSU at the same application": newPayer,
    "the same PSU at another application of the TPP": newApplicationOf,
  };
  for (const [neighbour, consentBeside] of Object.entries(NEIGHBOURS)) {
    for (const newer of ["the consent that ends", "the consent that stays"] as const) {
      it(`end with their own consent, not with that of ${neighbour}, when ${newer} has replaced one (PAY-14)`, async () => {
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

    it(`delay the withdrawal of their own consent while they are being stored, not that of ${neighbour}`, async () => {
      const scene = await newScene();
      const beside = await give({ ...(await consentBeside(scene)), services: ["pisp"] });
      const withdraw = (consent: Scene["consent"]) => {
        const ending = consents()
          .end(consent, WITHDRAWN)
          .then(() => "over");
        return [ending, Promise.race([ending, until("WITH ended AS%", ending).then(() => "waits")])] as const;
      };
      const [ending] = await databases[1].transaction(async (queries) => {
        await holdPaymentConsent(queries, scene);
        expect(await withdraw(beside)[1]).to.equal("over");
        const [own, state] = withdraw(scene.consent);
        expect(await state).to.equal("waits");
        return [own] as const;
      });
      expect(await ending).to.equal("over");
    });
  }

  interface Elsewhere {
    readonly beside: (scene: Scene) => Promise<Scene>;
    readonly end: (beside: Scene) => Promise<unknown>;
  }
  const ENDINGS: Readonly<Record<string, Elsewhere>> = {
    "another PSU is blocked": {
      beside: newPayer,
      end: ({ psu }) => createPsuBlocks(databases[0], systemClock).block({ psu, reason: "fraud" }, JANA),
    },
    "another TPP comes on the stop list": {
      beside: () => newScene(),
      end: ({ owner: key }) =>
        createStopList(databases[0]).block({ kind: "organisation", key, by: JANA, reason: "fraud" }),
    },
    "another application of the TPP is deleted": {
      beside: newApplicationOf,
      end: ({ applicationId: id, owner }) => applications().remove({ id, owner }, SERVER, () => {}),
    },
    "another application of the TPP gives payments up": {
      beside: newApplicationOf,
      end: ({ applicationId: id, owner }) =>
        applications().replace({ id, owner }, SERVER, (current) => ({ ...current, scopes: ["aisp"] })),
    },
  };
  for (const [when, { beside, end }] of Object.entries(ENDINGS)) {
    it(`stay, with their consent and application, when ${when}`, async () => {
      const scene = await newScene();
      const ended = await beside(scene);
      const [own, another] = [await waiting(scene), await waiting(ended)];
      await end(ended);
      expect(await find(another)).to.include({ state: "cancelled", because: "consent_ended" });
      expect(await find(own)).to.include({ state: "waiting" });
      expect(await findEnd(scene)).to.equal(undefined);
      expect(await consents().findActive(scene.consent)).to.include({ state: "active" });
      expect((await ask(termsOf(scene))).result).to.equal("created");
      expect((await approve(own))?.request.state).to.equal("approved");
    });
  }
});
