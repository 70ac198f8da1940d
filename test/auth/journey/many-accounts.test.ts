import { parseApplicationId } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Consent } from "../../../packages/auth/src/consent/consent.ts";
import { createConsentId } from "../../../packages/auth/src/consent/consent-id.ts";
import type { FormFields } from "../../../packages/auth/src/forms/form-fields.ts";
import { readTicks, writeTicks } from "../../../packages/auth/src/forms/ticks.ts";
import { showJourney } from "../../../packages/auth/src/journey/dispatch.ts";
import type { ConsentView } from "../../../packages/auth/src/pages/page-view.ts";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { sampleAccounts, sampleAsking } from "../pages/sample-asking.ts";
import { journeyAtConsent, NOW, PSU, post, refusalOf, requireConsentPage } from "./hand-made-journey.ts";

const COUNT = 1_000;
const MOST_BYTES = 60_000;
const all = sampleAccounts(COUNT);
const pages = createPages({ bankName: "Sandbox Bank" });
const frame = { language: "en" } as const;

/** A PSU with a thousand accounts and a browser that keeps nothing but the page before it. */
async function psuAtPage() {
  const journey = journeyAtConsent({ accounts: async () => all });
  let view = requireConsentPage(await showJourney(journey.parts, journey.visit));
  const html = () => pages.consent(frame, view);
  /** Every field that the page would post, with these boxes ticked or not. */
  function fieldsOf(ticks: Readonly<Record<string, boolean>>): FormFields {
    const fields = new Map<string, string[]>();
    for (const [, name = "", value = ""] of html().matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g))
      fields.set(name, [value]);
    const boxes = [...html().matchAll(/name="account" value="([^"]+)"( checked)?/g)];
    const account = boxes
      .filter(([, id = "", checked]) => ticks[id] ?? checked !== undefined)
      .map(([, id = ""]) => id);
    return { ...Object.fromEntries(fields), account };
  }
  return {
    journey,
    html,
    names: () => [...html().matchAll(/"account-name"><bdi>([^<]+)/g)].map(([, name]) => name),
    view: (): ConsentView => view,
    async press(go: string, find = "", ticks: Readonly<Record<string, boolean>> = {}): Promise<void> {
      const { token: _, ...fields } = fieldsOf(ticks);
      const sent = { ...fields, find: [find], go: [go] };
      view = requireConsentPage(await post(journey, "consent", { fields: sent }));
    },
    async agree(choice: string, ticks: Readonly<Record<string, boolean>> = {}) {
      const { token: _, ...fields } = fieldsOf(ticks);
      return post(journey, "consent", { fields: { ...fields, choice: [choice] } });
    },
  };
}

describe("A thousand accounts on the consent page", () => {
  const named = (number: number) => all[number - 1]?.id ?? "";

  it("are split into pages that stay small, and none is missing", async () => {
    const at = await psuAtPage();
    const seen = new Set<string | undefined>();
    for (let page = 1; page <= 20; page += 1) {
      expect(Buffer.byteLength(at.html())).to.be.below(MOST_BYTES);
      for (const name of at.names()) seen.add(name);
      await at.press("next");
    }
    expect(seen.size).to.equal(COUNT);
    expect(at.view().faults).to.deep.equal([]);
  });

  it("are found by name, number, IBAN and currency, ignoring case and accents", async () => {
    const at = await psuAtPage();
    await at.press("find", "HÓUSEHOLD áccount 77");
    expect(at.names()).to.include("Household account 77").and.to.not.include("Household account 78");
    await at.press("find", "usd cz40 9900");
    expect(at.names()).to.not.be.empty;
    for (const name of at.names()) expect(Number(name?.split(" ").at(-1)) % 5).to.equal(0);
    await at.press("find", "no such account");
    expect([at.names().length, at.html().includes("No account matches.")]).to.deep.equal([0, true]);
    await at.press("whole");
    expect(at.names()).to.have.length(50);
  });

  it("stay ticked across searches and pages, are listed by name, and can be unticked", async () => {
    const at = await psuAtPage();
    await at.press("find", "account 77", { [named(1)]: true });
    await at.press("find", "account 500", { [named(77)]: true, [named(770)]: true });
    expect(at.html()).to.match(/Also ticked[\s\S]*Household account 77</);
    await at.press("ticked", "", { [named(500)]: true });
    expect(at.names()).to.deep.equal([1, 77, 500, 770].map((number) => `Household account ${number}`));
    await at.agree("some", { [named(77)]: false });
    const [decision] = at.journey.done.consents;
    expect(decision?.accounts).to.deep.equal([named(1), named(500), named(770)]);
  });

  it("are said to be unticked, not unmatched by a search, once the last tick is removed", async () => {
    const at = await psuAtPage();
    await at.press("find", "account 77", { [named(77)]: true });
    await at.press("ticked");
    const view = requireConsentPage(await at.agree("some", { [named(77)]: false }));
    const html = pages.consent(frame, view);
    expect(view.faults.map(({ key }) => key)).to.deep.equal(["fault_account_missing"]);
    expect(html).to.include("No account is ticked.").and.to.not.include("No account matches.");
  });

  it("are all shared by one choice, even from a page that shows a few", async () => {
    const at = await psuAtPage();
    await at.press("find", "account 77");
    expect(at.html()).to.include("All 1000 of my accounts, including those that are not on this page");
    await at.agree("all");
    expect(at.journey.done.consents[0]?.accounts).to.have.length(COUNT);
  });

  it("are not shared by a form with impossible ticks, an unknown button or two searches", async () => {
    const at = await psuAtPage();
    const shown = [at.view().form.shown];
    for (const fields of [{ kept: ["AAAA"] }, { kept: ["!"] }, { go: ["give"] }, { find: ["a", "b"] }])
      expect(await refusalOf(post(at.journey, "consent", { fields: { shown, ...fields } }))).to.equal(
        "form_malformed",
      );
    expect(at.journey.done.consents).to.deep.equal([]);
  });

  it("lose their ticks when the list has changed since the page was shown", async () => {
    const kept = [
      writeTicks(
        all.map(({ id }) => id),
        new Set([named(3)]),
      ),
    ];
    const fields = { shown: ["of another page"], kept, choice: ["some"] };
    const journey = journeyAtConsent({ accounts: async () => all.slice(1) });
    const view = requireConsentPage(await post(journey, "consent", { fields }));
    expect([view.ticked, view.faults.map(({ key }) => key)]).to.deep.equal([[], ["fault_changed"]]);
  });
});

describe("Encoded ticks", () => {
  it("are decoded as they were, for lists of any length", () => {
    for (const length of [0, 1, 7, 8, 9, 1_000]) {
      const ids = Array.from({ length }, (_, index) => `id-${index}`);
      const ticked = ids.filter((_, index) => index % 3 === 0);
      expect(readTicks(ids, writeTicks(ids, new Set(ticked)))).to.deep.equal(ticked);
    }
  });
});

describe("The consent page of an application that has access already", () => {
  const former: Consent = {
    id: createConsentId(),
    version: 1,
    organisationIdentifier: sampleAsking.tpp.organisationIdentifier,
    applicationId: parseApplicationId("application-1"),
    psu: PSU,
    services: ["pisp"],
    accounts: [],
    givenAt: NOW,
    authenticatedAt: NOW,
    validUntil: new Date("2026-12-31T12:00:00Z"),
    state: "active",
  };

  it("says what the application has, gains and loses, and what a refusal changes", async () => {
    const { parts, visit } = journeyAtConsent({ former });
    const html = pages.consent(frame, requireConsentPage(await showJourney(parts, visit)));
    for (const told of [
      "This application already has access",
      "Until",
      "Access ends on 27\u00a0January 2027 instead of 31\u00a0December 2026.",
      "New: it may see account information.",
      "It will no longer be able to send payment orders or to ask whether a certain amount is in an account.",
      "If you do not agree, everything stays as it is.",
    ])
      expect(html).to.include(told);
  });

  it("asks again when the application's access has changed since the page was shown", async () => {
    const { parts, visit } = journeyAtConsent();
    const { shown } = requireConsentPage(await showJourney(parts, visit)).form;
    const journey = journeyAtConsent({ former });
    const answer = await post(journey, "consent", { fields: { shown: [shown], choice: ["all"] } });
    expect(requireConsentPage(answer).faults.map(({ key }) => key)).to.deep.equal(["fault_changed"]);
    expect(journey.done.consents).to.deep.equal([]);
  });

  it("leads on, loaded or answered again, when that access is the PSU's own answer, which nobody learned of", async () => {
    const { parts, visit } = journeyAtConsent({ scopes: ["pisp"] });
    const { shown } = requireConsentPage(await showJourney(parts, visit)).form;
    const journey = journeyAtConsent({ scopes: ["pisp"], former, stored: former });
    const answer = await post(journey, "consent", { fields: { shown: [shown] } });
    expect(answer).to.deep.equal({ show: "nothing", location: "/next/1" });
    const loaded = await showJourney(journey.parts, journey.visit);
    expect(loaded).to.deep.equal({ show: "nothing", location: "/next/2" });
    expect(journey.done.consents[0]).to.deep.equal({ accounts: [], services: ["pisp"] });
  });
});
