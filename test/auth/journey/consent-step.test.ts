import type { Scope } from "@cobs/cobs-model";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import type { FormFields } from "../../../packages/auth/src/forms/form-fields.ts";
import { showJourney } from "../../../packages/auth/src/journey/dispatch.ts";
import type { JourneyAnswer } from "../../../packages/auth/src/journey/journey.ts";
import { sampleAccounts } from "../pages/sample-asking.ts";
import {
  type HandMadeJourney,
  journeyAtConsent,
  NOW,
  post,
  refusalOf,
  requireConsentPage,
} from "./hand-made-journey.ts";

const [first, second, third] = sampleAccounts(3).map(({ id }) => id);
const FOREIGN = "account-of-somebody-else";

async function shownBy(journey: HandMadeJourney): Promise<string> {
  return requireConsentPage(await showJourney(journey.parts, journey.visit)).form.shown;
}

async function decide(journey: HandMadeJourney, fields: FormFields): Promise<JourneyAnswer> {
  return post(journey, "consent", { fields: { shown: [await shownBy(journey)], ...fields } });
}

async function faultsOf(journey: HandMadeJourney, fields: FormFields): Promise<readonly string[]> {
  const answer = await decide(journey, fields);
  expect(journey.done.consents).to.deep.equal([]);
  return requireConsentPage(answer).faults.map(({ key }) => key);
}

function messageOf(answer: JourneyAnswer): string {
  return answer.show === "message" ? answer.view.message : `shows ${answer.show}`;
}

describe("The consent step", () => {
  it("shows accounts, scopes and the exact end, with nothing chosen (UI-11)", async () => {
    const { parts, visit } = journeyAtConsent({ scopes: ["aisp", "pisp"] });
    const view = requireConsentPage(await showJourney(parts, visit));
    expect(view.accounts).to.have.length(3);
    expect(view.scopes).to.deep.equal(["aisp", "pisp"]);
    expect(view.validUntil.toISOString()).to.equal("2027-01-27T11:59:00.000Z");
    expect(view.decideBy.toISOString()).to.equal("2026-07-31T12:04:00.000Z");
    expect([view.choice, ...view.ticked]).to.deep.equal([undefined]);
  });

  it("leads on when its page is loaded again after it was answered", async () => {
    const { parts, visit } = journeyAtConsent({ pending: { answeredWith: "/resume" } });
    expect(await showJourney(parts, visit)).to.deep.equal({ show: "nothing", location: "/resume" });
  });

  it("stores the ticked accounts for exactly the requested scopes", async () => {
    const journey = journeyAtConsent({ scopes: ["aisp", "pisp"] });
    const answer = await decide(journey, { choice: ["some"], account: [third ?? "", first ?? ""] });
    expect(answer).to.deep.equal({ show: "nothing", location: "/next/1" });
    expect(journey.done.consents).to.deep.equal([{ accounts: [first, third], services: ["aisp", "pisp"] }]);
  });

  it("takes ticked accounts without a choice as the choice of these", async () => {
    const journey = journeyAtConsent();
    await decide(journey, { account: [second ?? ""] });
    expect(journey.done.consents).to.deep.equal([{ accounts: [second], services: ["aisp"] }]);
  });

  it("stores all accounts that were shown when all are chosen", async () => {
    const journey = journeyAtConsent();
    await decide(journey, { choice: ["all"] });
    expect(journey.done.consents).to.deep.equal([{ accounts: [first, second, third], services: ["aisp"] }]);
  });

  it("needs at least one account, and refuses a contradictory choice", async () => {
    const journey = journeyAtConsent();
    expect(await faultsOf(journey, {})).to.deep.equal(["fault_choice_missing"]);
    expect(await faultsOf(journey, { choice: ["some"] })).to.deep.equal(["fault_account_missing"]);
    expect(await faultsOf(journey, { choice: ["all"], account: [first ?? ""] })).to.deep.equal([
      "fault_choice_ambiguous",
    ]);
  });

  it("keeps what was chosen for a second try", async () => {
    const answer = await decide(journeyAtConsent(), { choice: ["all"], account: [first ?? ""] });
    const { choice, ticked } = requireConsentPage(answer);
    expect([choice, ticked]).to.deep.equal(["all", [first]]);
  });

  it("keeps the choice when the language is changed, without storing it or finding a fault", async () => {
    for (const choice of ["all", "some", ""]) {
      const journey = journeyAtConsent();
      const sent = { choice: [choice], account: [second ?? ""], go: ["language"] };
      const view = requireConsentPage(await decide(journey, sent));
      expect([view.choice ?? "", view.ticked, view.faults]).to.deep.equal([choice, [second], []]);
      expect(journey.done.consents).to.deep.equal([]);
    }
  });

  it("redirects to its own page when the language is changed before anything was chosen", async () => {
    const journey = journeyAtConsent();
    const location = "/oauth/interaction/interaction-1?lang=cs";
    expect(await decide(journey, { go: ["language"] })).to.deep.equal({ show: "nothing", location });
    for (const chosen of [{ choice: ["all"] }, { account: [second ?? ""] }, { find: ["EUR"] }])
      expect((await decide(journey, { go: ["language"], ...chosen })).show).to.equal("consent");
    expect(await faultsOf(journey, { go: ["language"], shown: ["another page"] })).to.deep.equal([
      "fault_changed",
    ]);
  });

  it("says again what was wrong when the language is changed, unless it is right by now", async () => {
    const journey = journeyAtConsent();
    const [some, all, ticked] = [{ choice: ["some"] }, { choice: ["all"] }, { account: [second ?? ""] }];
    for (const [key, wrong, mended] of [
      ["fault_choice_missing", {}, [all, some, ticked]],
      ["fault_account_missing", some, [all, ticked]],
      ["fault_choice_ambiguous", { ...all, ...ticked }, [all, { ...some, ...ticked }]],
    ] as const) {
      const switched = { go: ["language"], faults: [key] };
      expect(await faultsOf(journey, { ...wrong, ...switched })).to.deep.equal([key]);
      for (const right of mended)
        expect(await faultsOf(journey, { ...right, ...switched })).to.deep.equal([]);
    }
    const news = ["fault_changed", "fault_account_unknown"];
    const switched = { ...all, go: ["language"], faults: [news.join(" ")] };
    expect(await faultsOf(journey, switched)).to.deep.equal(news);
  });

  it("says again for one account, and for payments alone, that what was shown has changed", async () => {
    for (const [scopes, count, choice] of [
      [["aisp"], 1, "all"],
      [["pisp"], 0, ""],
    ] as const) {
      const journey = journeyAtConsent({ scopes, accounts: async () => sampleAccounts(count) });
      const sent = { choice: [choice], go: ["language"], faults: ["fault_changed"] };
      expect(await faultsOf(journey, sent)).to.deep.equal(["fault_changed"]);
    }
  });

  it("says nothing that a form makes up when the language is changed (UI-01)", async () => {
    const faults = ["fault_changed_ fault_code_wrong __proto__ <b>call us</b>"];
    const sent = { choice: ["all"], go: ["language"], faults };
    expect(await faultsOf(journeyAtConsent(), sent)).to.deep.equal([]);
  });

  it("refuses an account of somebody else (UI-12)", async () => {
    const journey = journeyAtConsent();
    for (const fields of [
      { choice: ["some"], account: [first ?? "", FOREIGN] },
      { choice: ["all"], account: [FOREIGN] },
      { account: ["__proto__"] },
      { account: [""] },
    ]) {
      expect(await faultsOf(journey, fields)).to.deep.equal(["fault_account_unknown"]);
    }
  });

  it("ignores scopes, ends and PSUs in the form (UI-12)", async () => {
    const journey = journeyAtConsent({ scopes: ["aisp"] });
    const extra = { scope: ["aisp pisp"], services: ["pisp"], psu: ["psu-petr"], validUntil: ["2099-01-01"] };
    await decide(journey, { ...extra, choice: ["some"], account: [first ?? ""] });
    expect(journey.done.consents).to.deep.equal([{ accounts: [first], services: ["aisp"] }]);
  });

  it("stores no account for payments alone, whatever the form says", async () => {
    const unasked = async () => {
      throw new Error("the accounts are none of its business");
    };
    const journey = journeyAtConsent({ scopes: ["pisp"], accounts: unasked });
    expect(await faultsOf(journey, { account: [first ?? ""] })).to.deep.equal(["fault_account_unknown"]);
    await decide(journey, { choice: ["all"] });
    expect(journey.done.consents).to.deep.equal([{ accounts: [], services: ["pisp"] }]);
  });

  it("asks again when anything that was shown has changed since", async () => {
    const shown = await shownBy(journeyAtConsent());
    const changes: Parameters<typeof journeyAtConsent>[0][] = [
      { accounts: async () => sampleAccounts(4) },
      { accounts: async () => sampleAccounts(2) },
      { scopes: ["aisp", "pisp"] as readonly Scope[] },
      { pending: { redirectHost: "elsewhere.example" } },
    ];
    for (const change of changes) {
      const journey = journeyAtConsent(change);
      expect(await faultsOf(journey, { shown: [shown], choice: ["all"] })).to.deep.equal(["fault_changed"]);
    }
    expect(await faultsOf(journeyAtConsent(), { shown: [], choice: ["all"] })).to.deep.equal([
      "fault_changed",
    ]);
  });

  it("says that the page has changed when a ticked account was closed, not that it is somebody else's", async () => {
    const shown = await shownBy(journeyAtConsent());
    const journey = journeyAtConsent({ accounts: async () => sampleAccounts(2) });
    const sent = { shown: [shown], choice: ["some"], account: [first ?? "", third ?? ""] };
    const { faults, ticked } = requireConsentPage(await decide(journey, sent));
    expect([faults.map(({ key }) => key), ticked]).to.deep.equal([["fault_changed"], [first]]);
    expect(journey.done.consents).to.deep.equal([]);
  });

  it("refuses repeated fields and accounts, and an unknown choice", async () => {
    const journey = journeyAtConsent();
    const twice = [
      { choice: ["some", "all"] },
      { choice: ["some"], account: [first ?? "", first ?? ""] },
      { choice: ["everything"] },
    ];
    for (const fields of twice) expect(await refusalOf(decide(journey, fields))).to.equal("form_malformed");
    expect(journey.done.consents).to.deep.equal([]);
  });

  it("ends five minutes after the sign-in, page and form alike (RTS Article 4(3)(d))", async () => {
    const inTime = journeyAtConsent({ now: new Date(NOW.getTime() + 4 * 60_000 - 1) });
    const late = journeyAtConsent({ now: new Date(NOW.getTime() + 4 * 60_000) });
    expect((await showJourney(inTime.parts, inTime.visit)).show).to.equal("consent");
    expect(messageOf(await showJourney(late.parts, late.visit))).to.equal("session_idle");
    expect(messageOf(await post(late, "consent", { fields: { choice: ["all"] } }))).to.equal("session_idle");
    expect(late.done.consents).to.deep.equal([]);
  });

  it("asks to try again when the bank cannot list the accounts, and stores nothing", async () => {
    const accounts = () => Promise.reject(new PrivateServiceUnavailable("resource", {}));
    const journey = journeyAtConsent({ accounts });
    expect(messageOf(await showJourney(journey.parts, journey.visit))).to.equal("accounts_unavailable");
    expect(messageOf(await post(journey, "consent", { fields: { choice: ["all"] } }))).to.equal(
      "accounts_unavailable",
    );
    expect(journey.done.consents).to.deep.equal([]);
  });

  it("says so when there is no account to share", async () => {
    const { parts, visit } = journeyAtConsent({ accounts: async () => [] });
    expect(messageOf(await showJourney(parts, visit))).to.equal("accounts_none");
  });
});
