import { expect } from "chai";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import { sampleConsent, sampleDetail, sampleWithdrawal } from "./sample-consents.ts";

const pages = createPages({ bankName: "Sandbox Bank" });
const TEXTS = { cs, en };

for (const language of ["cs", "en"] as const) {
  const { phrases } = TEXTS[language];
  const frame = { language };

  describe(`the pages about consents (${language})`, () => {
    it("say of each consent to payments that the company may also ask about an amount (COBS 3.2.3)", () => {
      const asked = pages.consent(frame, sampleConsent(["pisp"], 0));
      expect(asked).to.contain(phrases.pisp_sends).and.to.contain(phrases.pisp_checks);
      for (const html of [
        pages.consentDetail(frame, sampleDetail()),
        pages.withdrawal(frame, sampleWithdrawal()),
      ])
        expect(html).to.contain(phrases.consent_pisp).and.to.contain(phrases.consent_pisp_checks);
      expect(pages.consent(frame, sampleConsent(["aisp"], 1))).to.not.contain(phrases.pisp_checks);
    });
  });
}
