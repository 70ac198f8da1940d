/**
 * kill -9 of resource, auth and PostgreSQL at random moments of eight payments at once, of which some lose the answer to
 * their initiation: every payment exists once and as it was told, and every approved one ends without a person's help.
 * `npm run faults` runs twenty rounds for each; the tests run one. A round is repeated with its seed.
 */
import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { pickWhole, type Random } from "../../packages/sandbox/src/bank/random.ts";
import { createFormBrowser } from "../../packages/sandbox/src/tpp/form-browser.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { openTppFetch, type TppFetch } from "../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { eventually } from "../support/eventually.ts";
import { isReady, type TestSandbox } from "../support/sandbox.ts";
import { PAYMENT_FAULT_SEED, PAYMENT_KILL_ROUNDS } from "../support/test-environment.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { contradictionsOf } from "./payment-books.ts";
import { CERTIFICATE } from "./payment-calls.ts";
import { countStages, pickMoment } from "./payment-moments.ts";
import { type Payer, type PaymentInput, pay, type ToldPayment } from "./payment-payer.ts";
import { forgetUsedCodes } from "./run-sql.ts";

type Victim = "resource" | "auth" | "postgres";
const VICTIMS: readonly Victim[] = ["resource", "auth", "postgres"];
const PAYMENTS = 8;
/** Haléře. */
const MORE_THAN_ANYBODY_HAS = 9_000_000_000;
const PSUS = ["jana", "petr", "marie"] as const;
const RECOVERY_LIMIT_MILLISECONDS = 120_000;
const SEED = PAYMENT_FAULT_SEED ?? randomUUID().slice(0, 8);

describe(`Payments under way when a process is killed (seed ${SEED})`, function faults() {
  this.timeout(400_000);
  let sandbox: TestSandbox;
  let tpp: TppClient;
  let web: TppFetch;
  let application: TppApplication;
  let payers: readonly Payer[];
  const tokens = new Map<string, { readonly accessToken: string; readonly at: number }>();
  const ended: ToldPayment[] = [];

  before(async () => {
    sandbox = await journeySandbox();
    const document = await sandbox.document();
    tpp = await journeyTpp(CERTIFICATE);
    web = await openTppFetch(document.ca);
    application = await tpp.register(["aisp", "pisp"]);
    payers = PSUS.map((username) => {
      const psu = document.psus.find((each) => each.username === username);
      if (psu === undefined) throw new Error(`there is no ${username}`);
      return {
        psu,
        browser: createFormBrowser(web.fetch, application.redirectUri),
        inTurn: oneAfterAnother(),
      };
    });
  });
  after(() => web?.close());

  for (let round = 1; round <= PAYMENT_KILL_ROUNDS; round += 1)
    for (const victim of VICTIMS) {
      const seed = `${SEED}/${victim}/${round}`;
      const { moment, random } = pickMoment(seed, PAYMENTS);
      const { stage, payments, milliseconds } = moment;
      it(`end as reported: ${victim} is killed ${milliseconds} ms after the ${stage} of ${payments} (round ${seed})`, async () => {
        const stages = countStages();
        const document = await sandbox.document();
        const formerPid = document.processes[victim] ?? 0;
        const inputs = Array.from({ length: PAYMENTS }, (_, index) => inputOf(random, index));
        for (const { psu } of payers) await tokenOf(psu.username);
        const paid = Promise.all(
          inputs.map(async (input, index) => {
            const payer = payers[index % payers.length];
            if (payer === undefined) throw new Error("nobody pays");
            const accessToken = await tokenOf(payer.psu.username);
            return pay({ document, tpp, accessToken }, payer, input, stages.reach);
          }),
        );
        const settled = paid.then(
          () => undefined,
          () => undefined,
        );
        await stages.come(moment, settled);
        await sandbox.kill(victim);
        await recovered(victim, formerPid);
        ended.push(...(await paid));
        expect(await contradictionsOf(await sandbox.document(), ended)).to.deep.equal([]);
      });
    }

  /** Whoever was killed runs again, however busy the machine is with the payments. */
  async function recovered(victim: Victim, formerPid: number): Promise<void> {
    const isBack = async () => {
      const { processes, auth, resource } = await sandbox.document();
      const operators = [auth.operator, resource.operator];
      return processes[victim] !== formerPid && (await Promise.all(operators.map(isReady))).every(Boolean);
    };
    await eventually(isBack, RECOVERY_LIMIT_MILLISECONDS);
  }

  function inputOf(random: Random, index: number): PaymentInput {
    const isIt = (percent: number) => pickWhole(random, 1, 100) <= percent;
    return {
      instructionIdentification: randomUUID().slice(0, 30),
      minor: (isIt(10) ? MORE_THAN_ANYBODY_HAS : 100) + index * 10 + pickWhole(random, 0, 9),
      isInstant: isIt(50),
      hasKey: isIt(50),
      isCut: isIt(30),
      isDeleted: isIt(20),
    };
  }

  /** One for each PSU, and another one before it has expired. */
  async function tokenOf(psu: string): Promise<string> {
    const known = tokens.get(psu);
    if (known !== undefined && performance.now() - known.at < 300_000) return known.accessToken;
    await forgetUsedCodes(await sandbox.document());
    const { accessToken } = await tpp.authorize(application, { psu, scope: "aisp pisp" });
    tokens.set(psu, { accessToken, at: performance.now() });
    return accessToken;
  }
});

function oneAfterAnother(): Payer["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
