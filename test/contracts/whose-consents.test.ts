/** A consent ends with its own tokens: those of another PSU, and of another application, go on. */
import { type Database, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { expireConsents } from "../../packages/auth/src/consent/expire-consents-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { type Scene, SERVER, signingScenes } from "./signing-scenes.ts";
import { storeApplication } from "./stored-tpp.ts";
import { operatorAct, psuAct } from "./test-acts.ts";

const WITHDRAWN = { by: "psu", reason: "withdrawn", act: psuAct() } as const;

describe("Consent beside those of somebody else", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { consents, run, give, newPayer, newScene } = signingScenes(() => databases);
  const applications = () => createApplicationStore(databases[0], endConsentsOfApplication);
  const tokens = () => createTokenStore<object>(databases[0]);
  const keyOf = ({ consent }: Scene) => ({ kind: "AccessToken", id: consent });

  const anotherPsu = { "another PSU at the same application": newPayer } as const;
  const anotherApplication = {
    "the same PSU at another application of the TPP": async (scene: Scene) => {
      const payer = { ...scene, applicationId: await storeApplication(databases[0], scene.owner) };
      return { ...payer, consent: await give({ ...payer, services: ["pisp"] }) };
    },
  } as const;
  const both = { ...anotherPsu, ...anotherApplication };

  interface Ending {
    readonly end: (scene: Scene) => Promise<unknown>;
    readonly stays: Readonly<Record<string, (scene: Scene) => Promise<Scene>>>;
  }
  const ENDINGS: Readonly<Record<string, Ending>> = {
    "is withdrawn": { end: ({ consent }) => consents().end(consent, WITHDRAWN), stays: both },
    "is replaced by a newer one": { end: (scene) => give({ ...scene, services: ["pisp"] }), stays: both },
    expires: {
      end: async ({ consent }) => {
        await run("UPDATE consent SET valid_until = now() WHERE id = $1", [consent]);
        await expireConsents(databases[0], SERVER);
      },
      stays: both,
    },
    "ends with the block of its PSU": {
      end: ({ psu }) =>
        createPsuBlocks(databases[0], systemClock).block({ psu, reason: "fraud" }, operatorAct("jana")),
      stays: anotherPsu,
    },
    "ends with its application": {
      end: ({ applicationId: id, owner }) => applications().remove({ id, owner }, SERVER, () => {}),
      stays: anotherApplication,
    },
    "ends with what its application gives up": {
      end: ({ applicationId: id, owner }) =>
        applications().replace({ id, owner }, SERVER, (current) => ({ ...current, scopes: ["aisp"] })),
      stays: anotherApplication,
    },
  };
  for (const [how, { end, stays }] of Object.entries(ENDINGS)) {
    for (const [neighbour, consentBeside] of Object.entries(stays)) {
      it(`${how} with its tokens, and leaves that of ${neighbour} alone`, async () => {
        const scene = await newScene();
        const beside = await consentBeside(scene);
        for (const each of [scene, beside])
          await tokens().put(keyOf(each), {}, { grantId: each.consent, lifetimeSeconds: 60 });
        const application = await applications().findById(beside.applicationId);
        await end(scene);
        expect(await consents(1).findActive(scene.consent)).to.equal(undefined);
        expect(await tokens().find(keyOf(scene))).to.equal(undefined);
        expect(await consents(1).findActive(beside.consent)).to.include({ state: "active" });
        expect((await tokens().find(keyOf(beside)))?.consent?.id).to.equal(beside.consent);
        expect(await applications().findById(beside.applicationId)).to.deep.equal(application);
      });
    }
  }
});
