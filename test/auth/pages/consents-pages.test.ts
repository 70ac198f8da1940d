import type { Scope } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Consent } from "../../../packages/auth/src/consent/consent.ts";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import { fillText } from "../../../packages/auth/src/pages/texts/texts.ts";
import { ACCOUNT_SCHEMAS } from "../../../packages/cobs-model/src/openapi/schemas/account.ts";
import { BALANCE_SCHEMAS } from "../../../packages/cobs-model/src/openapi/schemas/balance.ts";
import {
  sampleBlocked,
  sampleConsent,
  sampleConsents,
  sampleDetail,
  sampleOther,
  samplePsuConsent,
  sampleWithdrawal,
} from "./sample-consents.ts";

const pages = createPages({ bankName: "Sandbox Bank" });
const TEXTS = { cs, en };
/** What the consent page calls each member of an account in the list. */
const MEMBERS = {
  cs: { nameI18N: /název/, productI18N: /druh/, identification: /číslo/, currency: /měnu/ },
  en: { nameI18N: /name/, productI18N: /type/, identification: /number/, currency: /currency/ },
};
/** What it calls the money in a balance. */
const MONEY = {
  cs: { amount: /zůstatek/, creditLine: /přečerpání/ },
  en: { amount: /balance/, creditLine: /overdraft/ },
};

for (const language of ["cs", "en"] as const) {
  const { phrases } = TEXTS[language];
  const frame = { language };

  describe(`The pages about consents (${language})`, () => {
    it("say for each consent to payments that the company may also ask about an amount (COBS 3.2.3)", () => {
      const asked = pages.consent(frame, sampleConsent(["pisp"], 0));
      expect(asked).to.contain(phrases.pisp_sends).and.to.contain(phrases.pisp_checks);
      for (const html of [
        pages.consentDetail(frame, sampleDetail()),
        pages.withdrawal(frame, sampleWithdrawal()),
      ])
        expect(html).to.contain(phrases.consent_pisp).and.to.contain(phrases.consent_pisp_checks);
      expect(pages.consent(frame, sampleConsent(["aisp"], 1))).to.not.contain(phrases.pisp_checks);
    });

    it("stay on the same page of accounts and of history when the language is changed", () => {
      const view = { ...sampleDetail(), pages: { accounts: 2, history: 3 } };
      const html = pages.consentDetail({ ...frame, switchPath: "/consents" }, view);
      const { id } = view.shown.consent;
      for (const other of ["cs", "en"])
        expect(html).to.contain(
          `href="/consents?lang=${other}&amp;consent=${id}&amp;accounts=2&amp;history=3"`,
        );
    });

    it("stay on the same page of all four lists when the language is changed", () => {
      const { active, over, cards, ...view } = sampleConsents();
      const [page1, page2, page3, page4] = [1, 2, 3, 4].map((page) => ({ page, pages: 4 }));
      const html = pages.consents(
        { ...frame, switchPath: "/consents" },
        {
          ...view,
          active: { ...active, ...page1 },
          over: { ...over, ...page2 },
          cards: { active: { ...cards.active, ...page3 }, over: { ...cards.over, ...page4 } },
        },
      );
      for (const other of ["cs", "en"])
        expect(html).to.contain(
          `href="/consents?lang=${other}&amp;page=1&amp;earlier=2&amp;cards=3&amp;earlier-cards=4"`,
        );
    });

    const titleOf = (html: string) => /<title>([^<]*) – Sandbox Bank</.exec(html)?.[1];

    it("tell the pages of each list apart by their titles (WCAG 2.2 2.4.2)", () => {
      const { active, over, cards, ...view } = sampleConsents();
      const at = (turned: string) => {
        const page = (list: string) => ({ page: list === turned ? 2 : 1, pages: 3 });
        return pages.consents(frame, {
          ...view,
          active: { ...active, ...page("consents_active") },
          over: { ...over, ...page("consents_over") },
          cards: {
            active: { ...cards.active, ...page("card_consents") },
            over: { ...cards.over, ...page("card_consents_over") },
          },
        });
      };
      const second = fillText(phrases.page_of, { page: 2, pages: 3 });
      for (const list of ["consents_active", "consents_over", "card_consents", "card_consents_over"] as const)
        expect(titleOf(at(list))).to.equal(`${phrases[list]} – ${second} – ${phrases.consents_title}`);
      expect(titleOf(at(""))).to.equal(phrases.consents_title);
      const long = sampleConsent(["aisp"], 1_000);
      const [next, first] = [2, 1].map((page) => ({ ...long, list: { ...long.list, page } }));
      expect(titleOf(pages.consent(frame, next ?? long))).to.contain(phrases.account_list);
      expect(titleOf(pages.consent(frame, first ?? long))).to.equal(phrases.consent_title_aisp);
    });

    it("tell the consents of one company apart by their titles (WCAG 2.2 2.4.2)", () => {
      const titles = [sampleDetail(), { ...sampleDetail(), shown: sampleOther }].map((view) =>
        titleOf(pages.consentDetail(frame, view)),
      );
      expect(new Set(titles)).to.have.property("size", titles.length);
      for (const title of titles) expect(title).to.match(/ – [„“][^„“”]+[“”]$/);
    });

    it("say that the choice of accounts limits payments too, when account information is asked for", () => {
      const both = pages.consent(frame, sampleConsent(["aisp", "pisp"], 2));
      for (const key of ["pisp_sends_shared", "pisp_checks_shared", "accounts_for_both"] as const) {
        expect(both).to.contain(phrases[key]);
        expect(pages.consent(frame, sampleConsent(["pisp"], 0))).to.not.contain(phrases[key]);
        expect(pages.consent(frame, sampleConsent(["aisp"], 2))).to.not.contain(phrases[key]);
      }
      expect(both).to.not.contain(phrases.pisp_sends).and.to.not.contain(phrases.pisp_checks);
    });

    it("mention no choice of accounts when there is only one", () => {
      const alone = pages.consent(frame, sampleConsent(["aisp", "pisp"], 1));
      for (const key of ["pisp_sends_single", "pisp_checks_single", "accounts_single"] as const)
        expect(alone).to.contain(phrases[key]);
      for (const key of ["pisp_sends_shared", "pisp_checks_shared", "accounts_for_both"] as const)
        expect(alone).to.not.contain(phrases[key]);
    });

    it("say what is seen of the account in the singular when there is only one", () => {
      const former = sampleDetail().shown.consent;
      const told = (count: number, scopes: readonly Scope[] = ["aisp"]) =>
        pages.consent(frame, { ...sampleConsent(scopes, count), former });
      const tpp = "Přehled financí, a.s.";
      const ofOne = [
        phrases.consent_lead_aisp_single,
        phrases.aisp_sees_single,
        phrases.aisp_transactions_single,
      ];
      for (const text of ofOne.map((each) => fillText(each, { tpp }))) {
        expect(told(1)).to.contain(text);
        expect(told(2)).to.not.contain(text);
      }
      for (const text of [phrases.aisp_sees, phrases.aisp_transactions, phrases.former_accounts]) {
        expect(told(1)).to.not.contain(text);
        expect(told(2)).to.contain(text);
      }
      expect(told(1, ["aisp", "pisp"])).to.contain(fillText(phrases.consent_lead_both_single, { tpp }));
    });

    it("name everything that the account list shows of an account, except the bank (COBS 3.1.3)", () => {
      const { id: _, servicer: __, ...told } = ACCOUNT_SCHEMAS.Account?.properties ?? {};
      expect(Object.keys(told).toSorted()).to.deep.equal(Object.keys(MEMBERS[language]).toSorted());
      for (const text of [phrases.aisp_sees, phrases.aisp_sees_single])
        for (const word of Object.values(MEMBERS[language])) expect(text).to.match(word);
    });

    it("name everything that a balance shows of an account's money, its overdraft too (COBS 3.1.4)", () => {
      const {
        type: _,
        creditDebitIndicator: __,
        date: ___,
        ...told
      } = BALANCE_SCHEMAS.Balance?.properties ?? {};
      expect(Object.keys(told).toSorted()).to.deep.equal(Object.keys(MONEY[language]).toSorted());
      for (const text of [phrases.aisp_sees, phrases.aisp_sees_single])
        for (const word of Object.values(MONEY[language])) expect(text).to.match(word);
    });

    it("ask about the access of one application, and name what another one keeps", () => {
      const html = pages.withdrawal(frame, sampleWithdrawal());
      expect(/<h1>(.*)<\/h1>/.exec(html)?.[1])
        .to.contain("Přehled financí, a.s.")
        .and.to.contain("Moje peníze");
      expect(html).to.contain(phrases.withdraw_others).and.to.contain("Firemní finance");
      const more = pages.withdrawal(frame, sampleWithdrawal({ others: [sampleOther, sampleOther] }));
      expect(more).to.contain(phrases.withdraw_others_many).and.to.not.contain(phrases.withdraw_others);
      const only = pages.withdrawal(frame, sampleWithdrawal({ others: [] }));
      expect(only).to.not.contain(phrases.withdraw_others);
    });

    it("say that a company on the stop list cannot use its access now", () => {
      const [views, blocked] = [sampleConsents(), sampleBlocked];
      const listed = pages.consents(frame, { ...views, blocked });
      const articles = listed.split("<article").slice(1);
      for (const article of articles) expect(article).to.contain(phrases.consent_blocked);
      expect(pages.consentDetail(frame, sampleDetail({ blocked }))).to.contain(phrases.consent_blocked);
      expect(pages.consents(frame, views)).to.not.contain(phrases.consent_blocked);
    });

    it("say what ended access could do, not what it may do", () => {
      const shown = sampleDetail().history.find(({ state }) => state === "revoked");
      if (shown === undefined) throw new TypeError("none is revoked");
      const html = pages.consentDetail(frame, sampleDetail({ shown: samplePsuConsent(shown) }));
      expect(html).to.contain(phrases.consent_might).and.to.not.contain(`${phrases.consent_may}<`);
    });

    it("show the number of accounts when their names are unavailable, but no account id", () => {
      const count = fillText(phrases.consent_accounts_count, { count: 4 });
      expect(pages.consents(frame, { ...sampleConsents(), accounts: undefined })).to.contain(count);
      const detail = pages.consentDetail(frame, sampleDetail({ accounts: undefined }));
      expect(detail).to.contain(count).and.to.contain(phrases.consent_names_missing);
      expect(detail).to.not.contain("account-name");
      expect(pages.consents(frame, sampleConsents())).to.contain(phrases.account_gone);
    });

    it("say that names are missing where accounts are listed, and offer withdrawal only where there is access", () => {
      const { consent_names_missing: missing, consent_withdraw_anyway: anyway } = phrases;
      const unnamed = { accounts: undefined };
      const none = { consents: [], page: 1, pages: 1 };
      const noCards = { active: none, over: none };
      const { over, cards, active, ...list } = { ...sampleConsents(), ...unnamed };
      const listed = (changed: object) =>
        pages.consents(frame, { ...list, active: none, over: none, cards: noCards, ...changed });
      const payments = active.consents.filter(({ consent }) => consent.accounts.length === 0);
      const ended = sampleDetail().history.find(({ state }) => state === "expired");
      if (ended === undefined || payments.length === 0) throw new TypeError("the samples have changed");
      const detail = (consent: Consent) =>
        pages.consentDetail(frame, sampleDetail({ ...unnamed, shown: samplePsuConsent(consent) }));
      for (const html of [
        listed({ active }),
        listed({ cards }),
        pages.consentDetail(frame, sampleDetail(unnamed)),
        pages.withdrawal(frame, sampleWithdrawal(unnamed)),
      ])
        expect(html).to.contain(`${missing} ${anyway}`);
      expect(detail(ended)).to.contain(missing).and.to.not.contain(anyway);
      for (const html of [
        listed({}),
        listed({ over, cards: { ...cards, active: none } }),
        listed({ active: { ...none, consents: payments } }),
        ...payments.map(({ consent }) => detail(consent)),
      ])
        expect(html).to.not.contain(missing);
    });

    it("say in the list that an application no longer exists, because no heading names it", () => {
      const { active, ...list } = sampleConsents();
      const consents = [{ ...sampleOther, application: undefined }];
      const html = pages.consents(frame, { ...list, active: { ...active, consents } });
      expect(html).to.contain(phrases.application_gone);
    });

    it("list separately each act that a company may do", () => {
      const acts = [phrases.consent_aisp, phrases.consent_pisp, phrases.consent_pisp_checks];
      const list = `<ul>${acts.map((act) => `<li>${act}</li>`).join("")}</ul>`;
      for (const html of [
        pages.consents(frame, sampleConsents()),
        pages.consentDetail(frame, sampleDetail()),
        pages.withdrawal(frame, sampleWithdrawal()),
      ])
        expect(html).to.contain(list);
    });

    it("distinguish two consents of one company in headings and link descriptions (WCAG 2.2 2.4.4)", () => {
      const { active, ...list } = sampleConsents();
      const consents = [...active.consents, sampleOther];
      const html = pages.consents(frame, { ...list, active: { ...active, consents } });
      expect(html).to.match(/<h3 id="consent-[^"]+">.*Moje peníze.*<\/h3>/);
      expect(html).to.match(/<h3 id="consent-[^"]+">.*Firemní finance.*<\/h3>/);
      expect(html.split("Firemní finance")).to.have.length(2);
      const described = [...html.matchAll(/aria-describedby="(card-[^"]+)"/g)].map(([, id]) => id);
      expect(new Set(described).size).to.equal(2);
    });
  });
}
