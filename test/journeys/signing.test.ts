import { expect } from "chai";
import { signAsPsu } from "../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { SEPA_ORDER } from "../auth/signing/sample-orders.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { askForSigning, stateOfSigning } from "./sandbox-signing.ts";

describe("Payment that a PSU of the sandbox approves without a browser", function signing() {
  this.timeout(120_000);

  it("is approved through the bank's own pages, with the code from the sandbox's inbox (COBS 3.2.4 to 3.2.11)", async () => {
    const document = await (await journeySandbox()).document();
    await forgetUsedCodes(document);
    const application = await (await journeyTpp("all-roles")).register();
    const [psu] = document.psus;
    if (psu === undefined) throw new Error("the sandbox has no PSU");
    const { psuId, username } = psu;
    for (const order of [undefined, SEPA_ORDER]) {
      const asked = await askForSigning(document, { psuId, application, ...(order && { order }) });
      expect(await stateOfSigning(document, asked)).to.equal("waiting");
      const usedSteps = openUsedSteps(usedStepsFile(document.directory));
      const context = { sandbox: document, usedSteps, tell: () => {} };
      await signAsPsu(context, { url: new URL(asked.url), returnUrl: application.redirectUri, username });
      expect(await stateOfSigning(document, asked)).to.equal("approved");
    }
  });
});
