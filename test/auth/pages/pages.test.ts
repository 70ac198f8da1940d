import { readdirSync, readFileSync } from "node:fs";
import { type Language, presentIban } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Asking, SignInView } from "../../../packages/auth/src/pages/page-view.ts";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import type { CodeStanding } from "../../../packages/auth/src/pages/signing-view.ts";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import { fillText } from "../../../packages/auth/src/pages/texts/texts.ts";
import { sampleAccounts, sampleAsking } from "./sample-asking.ts";
import { sampleConsent, sampleWithdrawal } from "./sample-consents.ts";
import { sampleOrder, samplePages, sampleSignIn } from "./sample-pages.ts";

const TEMPLATES = new URL("../../../packages/auth/templates/", import.meta.url);
const LANGUAGES: readonly Language[] = ["cs", "en"];
/** An activation code in groups. */
const LONGEST_CODE = "1234 5678 9012 3456 7890 1234 5678 9012";
const PAGE_LIMIT_BYTES = 60_000;
const pages = createPages({ bankName: "Sandbox Bank" });
const everyPage = LANGUAGES.flatMap((language) =>
  [...samplePages(pages, language)].map(([name, html]) => ({ name, language, html })),
);

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();
}

function asked(change: { readonly tpp?: string; readonly application?: string }): Asking {
  return {
    ...sampleAsking,
    tpp: { ...sampleAsking.tpp, organisationName: change.tpp ?? "TPP" },
    application: { clientName: change.application ?? "App", localizedNames: [] },
  };
}

function rendered(asking: Asking): readonly string[] {
  const frame = { language: "en", switchPath: "/oauth/interaction/1" } as const;
  return [
    pages.signIn(frame, { ...sampleSignIn, asking }),
    pages.consent(frame, { ...sampleConsent(["aisp", "pisp"], 2), asking }),
  ];
}

describe("The texts of the pages", () => {
  it("have the same keys and the same values to fill in, in both languages", () => {
    expect(Object.keys(cs.phrases)).to.have.members(Object.keys(en.phrases));
    expect(Object.keys(cs.messages)).to.have.members(Object.keys(en.messages));
    const pairs: [string, string][] = [];
    for (const [key, text] of Object.entries(en.phrases)) pairs.push([text, Object(cs.phrases)[key]]);
    for (const [key, text] of Object.entries(en.messages)) {
      const other: typeof text = Object(cs.messages)[key];
      expect(other.advice, key).to.have.length(text.advice.length);
      pairs.push([
        text.title + text.lead + text.advice.join(),
        other.title + other.lead + other.advice.join(),
      ]);
    }
    for (const [english, czech] of pairs) {
      expect(czech).to.not.equal("");
      expect(placeholders(czech), czech).to.deep.equal(placeholders(english));
    }
  });
});

describe("The pages", () => {
  it("stay under 60 kB each, also with 40 accounts", () => {
    for (const { html, name } of everyPage)
      expect(Buffer.byteLength(html), name).to.be.below(PAGE_LIMIT_BYTES);
  });

  it("have no inline script, no inline style and nothing from another origin, as the content security policy demands", () => {
    for (const { html, name } of everyPage) {
      expect(html, name).to.not.match(
        /<script(?! src="\/assets\/[\w.-]+" defer><\/script>)|<style|\sstyle=|\son\w+=|javascript:/i,
      );
      for (const [tag, target] of html.matchAll(/<[^>]*\s(?:src|href|action)="([^"]*)"[^>]*>/g)) {
        // The way back to a TPP is nothing that is loaded.
        if (/^<a .*\srel="noreferrer"/.test(tag)) continue;
        expect(target, name).to.match(/^(\/(?!\/)|#|data:,|otpauth:)/);
      }
    }
  });

  it("state their language, have the bank in the title and one heading, and fill in every text", () => {
    for (const { html, name, language } of everyPage) {
      expect(html).to.contain(`<html lang="${language}">`);
      expect(html, name).to.match(/<title>[^<]{5,} – Sandbox Bank<\/title>/);
      expect(html, name).to.not.match(/undefined|\[object|\{\w+\}|null/);
      expect([...html.matchAll(/<h1[ >]/g)], name).to.have.length(1);
    }
  });

  it("have a different title for the sign-in of each purpose (WCAG 2.2 2.4.2)", () => {
    const titles = everyPage
      .filter(({ name }) => /^sign-in(?:-signing|-consents|-authenticator)?$/.test(name))
      .map(({ html }) => /<title>([^<]*)/.exec(html)?.[1]);
    expect(new Set(titles)).to.have.property("size", titles.length);
    expect(titles).to.have.length(8);
  });

  it("have a text in every button, even in those that exist only for the Enter key", () => {
    for (const { html, name } of everyPage) expect(html, name).to.not.match(/<button[^>]*>\s*<\/button>/);
  });

  it("keep phones from offering to call account numbers", () => {
    for (const { html, name } of everyPage)
      expect(html, name).to.contain('<meta name="format-detection" content="telephone=no">');
  });

  it("keep browsers from translating names and what an order says", () => {
    const order = pages.order({ language: "en" }, sampleOrder());
    for (const exact of ["1,234,567.89 EUR", "Beispiel GmbH", "AT61 1904 3002 3457 3201"])
      expect(order).to.contain(`<bdi translate="no">${exact}</bdi>`);
    expect(order).to.contain(`<bdi>${en.phrases.order_priority_NORM}</bdi>`);
    for (const { html, name } of everyPage) {
      const names = html.match(/<bdi>(?:Přehled financí, a\.s\.|Moje peníze)<\/bdi>/g) ?? [];
      const kept =
        html.match(/translate="no">[“„]?<bdi>(?:Přehled financí, a\.s\.|Moje peníze)<\/bdi>/g) ?? [];
      expect(kept, name).to.have.length(names.length);
    }
  });

  it("use every id once, and have an element for every label, description and link (WCAG 2.2 4.1.2)", () => {
    for (const { html, name } of everyPage) {
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, name).to.equal(ids.length);
      const references = html.matchAll(/\s(?:for|form|aria-describedby|aria-labelledby|href)="(#?[^"/]+)"/g);
      for (const [, reference = ""] of references) {
        if (reference.startsWith("data:")) continue;
        for (const id of reference.replace("#", "").split(" ")) expect(ids, `${name} ${id}`).to.include(id);
      }
    }
  });

  it("label every field that a person fills in (WCAG 2.2 1.3.1, 3.3.2)", () => {
    for (const { html, name } of everyPage) {
      for (const [field] of html.matchAll(/<input(?! type="hidden")[^>]*>/g)) {
        const id = / id="([^"]+)"/.exec(field)?.[1];
        expect(html, name).to.contain(`<label for="${id}">`);
      }
    }
  });

  it("show the address of a sign-in to the end of its host, because a longer one may be another site's", () => {
    for (const language of LANGUAGES) {
      const html = pages.signIn({ language }, { ...sampleSignIn, origin: "https://login.bank.example" });
      expect(html).to.contain(" https://login.bank.example/.");
    }
  });

  for (const language of LANGUAGES) {
    const { phrases } = { cs, en }[language];
    const told = (purpose: SignInView["purpose"], anew?: SignInView["anew"]) =>
      pages.signIn({ language }, { ...sampleSignIn, purpose, anew });

    it(`say what a sign-in is for, and when an earlier one no longer counts (${language})`, () => {
      const first = fillText(phrases.step_of, { step: 1, steps: 2 });
      expect(told("authorization")).to.contain(first);
      for (const purpose of ["signing", "consents", "authenticator"] as const) {
        const lead = fillText(phrases[`sign_in_lead_${purpose}`], { tpp: "Přehled financí, a.s." });
        expect(told(purpose), purpose).to.contain(lead).and.to.not.contain(first);
        expect(told(purpose)).to.not.contain(phrases.sign_in_ended).and.not.contain(phrases.sign_in_late);
      }
      expect(told("consents", "ended")).to.contain(phrases.sign_in_ended);
      expect(told("consents", "late")).to.contain(phrases.sign_in_late);
      expect(told("consents", "used")).to.contain(phrases.sign_in_used);
    });

    it(`advise deleting an unconfirmed passkey or app only at the authenticator's sign-in (${language})`, () => {
      for (const anew of ["ended", "late"] as const) {
        const why = phrases[`sign_in_${anew}`];
        expect(told("authenticator", anew)).to.contain(`${why} ${phrases.sign_in_unconfirmed}</p>`);
        expect(told("consents", anew)).to.not.contain(phrases.sign_in_unconfirmed);
      }
      for (const anew of [undefined, "used"] as const)
        expect(told("authenticator", anew)).to.not.contain(phrases.sign_in_unconfirmed);
    });
  }

  it("show one piece of advice as a sentence, several as a list", () => {
    const told = (message: "signed_out" | "failed") => pages.message({ language: "en" }, { message });
    expect(told("signed_out"))
      .to.contain(`<p>${en.messages.signed_out.advice[0]}</p>`)
      .and.not.contain("<li>");
    for (const text of en.messages.failed.advice) expect(told("failed")).to.contain(`<li>${text}</li>`);
  });

  it("lead from an unknown consent back to the list by a link that says so", () => {
    const view = { message: "consent_unknown", onPath: "/consents" } as const;
    const html = pages.message({ language: "en" }, view);
    expect(html).to.contain(`href="/consents">${en.phrases.consents_back}<`);
    expect(html).to.not.contain(en.phrases.try_again);
  });

  it("mark the fields of a sign-in for password managers and for phones (WCAG 2.2 1.3.5)", () => {
    const html = pages.signIn({ language: "en" }, sampleSignIn);
    for (const purpose of ["username", "current-password", "one-time-code"]) {
      expect(html).to.contain(`autocomplete="${purpose}"`);
    }
    expect(html).to.contain('inputmode="numeric"');
  });

  it("offer the key also as a link for an app on the same phone", () => {
    const html = samplePages(pages, "en").get("enrolment") ?? "";
    const uri = /<a href="(otpauth:[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(new URL(uri).searchParams.get("secret")).to.equal("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP");
  });

  it("leave room for every code when it is pasted with many spaces", () => {
    for (const { html, name } of everyPage) {
      for (const [field] of html.matchAll(/<input[^>]*autocomplete="one-time-code"[^>]*>/g))
        expect(Number(/ maxlength="(\d+)"/.exec(field)?.[1]), name).to.be.at.least(LONGEST_CODE.length * 2);
    }
  });

  it("show markup in names from a TPP as plain text (UI-09)", () => {
    const markup = `<img src=x onerror=alert(1)>"'&<%= it.form.token %>{{7*7}}`;
    for (const html of rendered(asked({ tpp: markup, application: markup }))) {
      expect(html).to.contain(
        "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;%= it.form.token %&gt;{{7*7}}",
      );
      expect(html).to.not.contain("<img");
    }
  });

  it("distinguish two passkeys of one name by when they were added (WCAG 2.2 2.4.6)", () => {
    const html = everyPage.find(({ name, language }) => name === "authenticator" && language === "en")?.html;
    const links = [...(html ?? "").matchAll(/\?remove=[^"]+" aria-describedby="([^"]+)"/g)];
    const told = links.map(([, id]) => new RegExp(`<span id="${id}">([^<]+)<`).exec(html ?? "")?.[1]);
    expect(told).to.have.length(2);
    expect(new Set(told)).to.have.lengthOf(2);
    for (const text of told) expect(text).to.match(/^Added .*July/);
  });

  it("keep quotation marks apart from the quoted name, which may run from right to left", () => {
    for (const { html, name } of everyPage) expect(html, name).to.not.match(/<bdi>[“„][^<]*[“”]<\/bdi>/);
    for (const html of rendered(asked({ application: "שלום" }))) expect(html).to.contain("“<bdi>שלום</bdi>”");
  });

  it("let no application's name close its quotes and continue as the bank's own words (UI-09)", () => {
    const name = "App” is verified by us. “B";
    for (const html of rendered(asked({ application: name })))
      expect(html).to.contain("“<bdi>App&#39; is verified by us. &#39;B</bdi>”");
    const asking = sampleWithdrawal();
    const application = { clientName: name, localizedNames: [] };
    const html = pages.withdrawal({ language: "en" }, { ...asking, shown: { ...asking.shown, application } });
    expect(html).to.contain("“App&#39; is verified by us. &#39;B”?</h1>");
  });

  it("do not let a name hide, reorder or stack its letters, or fill the page", () => {
    const hostile = `Bank\u202Eecnanif\u2066\u200B\u0000\r\n\u0007x${"\u0301".repeat(50)}${"long ".repeat(500)}`;
    for (const html of rendered(asked({ tpp: hostile, application: hostile }))) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(html).to.not.match(/[\u0000\u0007\r\u200B\u202A-\u202E\u2066-\u2069]/);
      expect(html).to.contain("Bank\uFFFDecnanif");
      expect(html).to.not.contain("\u0301\u0301\u0301\u0301");
      expect(Buffer.byteLength(html)).to.be.below(10_000);
    }
  });

  it("mark a cut name with an ellipsis, even one of little more than marks and spaces", () => {
    for (const [application, shown] of [
      ["a".repeat(121), `${"a".repeat(120)}…`],
      [`Bank${"\u0335".repeat(600)} pays`, "Bank\u0335\u0335…"],
      [`Bank${" ".repeat(600)}pays`, "Bank…"],
      ["a".repeat(120), "a".repeat(120)],
      [`Bank\u0335\u0335\u0335${" ".repeat(600)}`, "Bank\u0335\u0335"],
    ] as const)
      for (const html of rendered(asked({ application })))
        expect(html, application).to.contain(`“<bdi>${shown}</bdi>”`);
  });

  it("make invisible letters visible, so that no name seems to be another one or none (UI-09)", () => {
    for (const unseen of [
      "\u3164",
      "\u115F",
      "\u1160",
      "\uFFA0",
      "\u17B4",
      "\u034F",
      "\u2800",
      "\u{E0041}",
      "\uFE0F",
      "\u{E0100}",
      "\u{13441}",
      "\u{13442}",
      "\u{16FE4}",
      "\u{1D159}",
      "\uFFFC",
    ]) {
      const html = pages.signIn(
        { language: "en" },
        { ...sampleSignIn, asking: asked({ application: `Bank${unseen}` }) },
      );
      expect(html, unseen.codePointAt(0)?.toString(16)).to.contain("Bank\uFFFD").and.not.contain(unseen);
    }
    for (const application of ["\u2764\uFE0F Bank", "\u845B\u{E0100} Bank"]) {
      const html = pages.signIn({ language: "en" }, { ...sampleSignIn, asking: asked({ application }) });
      expect(html).to.contain(application);
    }
  });

  it("show a host in full, because its end says whose it is (UI-07)", () => {
    const host = `${"login.bank.example.".repeat(12)}evil.example:8443`;
    const asking = { ...sampleAsking, redirectHost: host };
    const cancel = { action: "/cancel", token: "t", host };
    const consent = { ...sampleConsent(["aisp"], 1), asking };
    expect(pages.signIn({ language: "en" }, { ...sampleSignIn, asking, cancel })).to.contain(`${host}<`);
    expect(pages.consent({ language: "en" }, consent)).to.contain(`You return to ${host},`);
  });

  it("escape what was typed as a username, and never show a password again", () => {
    const html = pages.signIn({ language: "en" }, { ...sampleSignIn, username: `"><b>` });
    expect(html).to.contain('value="&quot;&gt;&lt;b&gt;"');
    expect(/<input id="password"[^>]*>/.exec(html)?.[0]).to.not.contain("value");
  });

  it("name the Czech National Bank in Czech on Czech pages, and other authorities as certificates do", () => {
    const nameIn = (language: Language, authority: { readonly id: string; readonly name: string }) => {
      const asking = { ...sampleAsking, tpp: { ...sampleAsking.tpp, authority } };
      const html = pages.consent({ language }, { ...sampleConsent(["aisp"], 1), asking });
      return new RegExp(`<bdi>([^<]*)</bdi> <span class="note">${authority.id}</span>`).exec(html)?.[1];
    };
    const { authority } = sampleAsking.tpp;
    const bafin = { id: "DE-BAFIN", name: "Federal Financial Supervisory Authority" };
    expect(nameIn("en", authority)).to.equal("Czech National Bank");
    expect(nameIn("cs", authority)).to.equal("Česká národní banka");
    expect(nameIn("cs", bafin)).to.equal(bafin.name);
    const consents = samplePages(pages, "cs").get("consent-detail") ?? "";
    expect(consents).to.include("Česká národní banka").and.not.include("Czech National Bank");
  });

  it("say on the consent page who asks for what, for which accounts and until when (UI-11)", () => {
    const html = pages.consent({ language: "en" }, sampleConsent(["aisp"], 2));
    for (const told of [
      "Přehled financí, a.s.",
      "Czech National Bank",
      "PSDCZ-CNB-12345678",
      "“<bdi>Moje peníze</bdi>”",
      en.phrases.application_claim,
      en.phrases.aisp_sees,
      en.phrases.aisp_only_not,
      "Until 27\u00a0January 2027",
      "180\u00a0days",
      "Household account 2",
      "19-2000145399/9900",
      "CZ30 9900 0000 1920 0014 5399",
      "moje-penize.example",
    ]) {
      expect(html).to.contain(told);
    }
    expect(html).to.not.contain(en.phrases.pisp_sends);
  });

  it("state the PSU's deadline before anything to read and to choose (WCAG 2.2 2.2.1)", () => {
    for (const scopes of [["aisp"], ["pisp"]] as const) {
      const html = pages.consent({ language: "cs" }, sampleConsent(scopes, 40));
      const [before = "", after] = html.split(fillText(cs.phrases.decide_by, { time: "14:10" }));
      expect(before).to.contain("<h1").and.not.contain("<h2");
      expect(after).to.contain(cs.phrases.agree);
    }
  });

  for (const [end, ...shown] of [
    ["2027-10-30T23:59:00Z", "1:59", "01:59"],
    ["2027-10-31T00:07:00Z", "2:07 SELČ", "02:07 CEST"],
    ["2027-10-31T01:07:00Z", "2:07 SEČ", "02:07 CET"],
    ["2027-10-31T02:00:00Z", "3:00", "03:00"],
  ] as const)
    it(`name the time zone only for a time of day that comes twice: ${end}`, () => {
      for (const [index, { phrases }] of [cs, en].entries()) {
        const view = { ...sampleConsent(["aisp"], 1), decideBy: new Date(end) };
        const html = pages.consent({ language: LANGUAGES[index] ?? "cs" }, view);
        const told = fillText(phrases.decide_by, { time: shown[index] ?? "" });
        expect(html.replaceAll("\u00a0", " ")).to.contain(told.replaceAll("\u00a0", " "));
      }
    });

  it("state the deadline of a sign-in, a change or a confirmation before its form (WCAG 2.2 2.2.1)", () => {
    const { phrases } = cs;
    for (const [name, text, time] of [
      ["sign-in", phrases.sign_in_by, "14:10"],
      ["authenticator", phrases.authenticator_change_by, "14:05"],
      ["enrolment", phrases.enrolment_confirm_by, "14:10"],
      ["enrolment-another", phrases.enrolment_confirm_by, "14:10"],
    ] as const) {
      const [before = "", after] = (samplePages(pages, "cs").get(name) ?? "").split(fillText(text, { time }));
      expect(before, name).to.contain("<h1").and.not.contain("<form");
      expect(after, name).to.contain("<form");
    }
  });

  it("use the right plural for the days of a consent in each language", () => {
    const told = (language: Language, validDays: number) =>
      pages.consent({ language }, { ...sampleConsent(["aisp"], 2), validDays });
    for (const [days, czech, english] of [
      [1, "1\u00a0den", "1\u00a0day"],
      [3, "3\u00a0dny", "3\u00a0days"],
      [90, "90\u00a0dnů", "90\u00a0days"],
    ] as const) {
      expect(told("cs", days)).to.contain(`platil ${czech} od`);
      expect(told("en", days)).to.contain(`for ${english} from`);
    }
  });

  it("write a Czech time with the right preposition for its hour", () => {
    const written = (time: string) => {
      const deliveredAt = new Date(`2026-11-23T${time}:00+01:00`);
      return pages.inbox({ language: "cs" }, { messages: [{ text: "", deliveredAt }] });
    };
    const date = "23.\u00a0listopadu 2026";
    for (const time of ["2:05", "4:00", "12:30", "14:00", "20:15", "23:59"])
      expect(written(time.padStart(5, "0"))).to.contain(`${date} ve\u00a0${time}`);
    for (const time of ["0:05", "1:00", "11:30", "15:00", "19:59"])
      expect(written(time.padStart(5, "0"))).to.contain(`${date} v\u00a0${time}`);
  });

  it("state until when an order waits, with the hour before the day", () => {
    const waitUntil = new Date("2026-11-23T15:10:00+01:00");
    const told = (language: Language) => pages.order({ language }, { ...sampleOrder(), waitUntil });
    expect(told("cs")).to.contain("čeká do\u00a015:10 pražského času dne\u00a023.\u00a0listopadu 2026.");
    expect(told("en")).to.contain("until 15:10 Prague time on 23\u00a0November 2026.");
  });

  it("do not say that a code was sent when none was", () => {
    const told = (codeStanding: CodeStanding, key: "fault_code_undelivered" | "fault_bound_code_wrong") =>
      pages.order({ language: "en" }, { ...sampleOrder(), codeStanding, faults: [{ key, field: "code" }] });
    const undelivered = told("none", "fault_code_undelivered");
    expect(undelivered).to.not.contain(en.phrases.bound_code_hint);
    expect(undelivered).to.contain('aria-describedby="code-fault"').and.contain(en.phrases.new_code);
    expect(told("none", "fault_bound_code_wrong")).to.not.contain(en.phrases.bound_code_hint);
    expect(told("sent", "fault_bound_code_wrong")).to.contain(en.phrases.bound_code_hint);
  });

  it("leave out the form for a code when none can approve the order, but still let it be refused", () => {
    const html = pages.order({ language: "en" }, { ...sampleOrder(), codeStanding: "none_left" });
    for (const told of ['name="code"', en.phrases.bound_code_hint, en.phrases.new_code, "new-code", "inbox"])
      expect(html).to.not.contain(told);
    expect(html)
      .to.match(/<button type="submit" form="refuse">/)
      .and.contain('<form id="refuse"');
    expect(html).to.contain("show you the way back to");
  });

  it("preselect nothing for the PSU", () => {
    expect(pages.consent({ language: "en" }, sampleConsent(["aisp"], 40))).to.not.contain("checked");
  });

  it("have no description that is part of its field's own label, which would be read out twice", () => {
    for (const { name, html } of everyPage)
      for (const [, field, label = ""] of html.matchAll(/<label for="([^"]+)">(.*?)<\/label>/gs)) {
        const describedBy = new RegExp(`<input[^>]* id="${field}"[^>]* aria-describedby="([^"]+)"`).exec(
          html,
        );
        for (const id of describedBy?.[1]?.split(" ") ?? []) expect(label, name).to.not.contain(`id="${id}"`);
      }
  });

  it("show a fault in the choice of accounts next to it, and mark it (WCAG 2.2 3.3.1, 4.1.2)", () => {
    const view = sampleConsent(["aisp"], 3);
    const html = (key: "fault_choice_missing" | "fault_account_missing", field: string) =>
      pages.consent({ language: "en" }, { ...view, choice: "some", faults: [{ key, field }] });
    const unchosen = html("fault_choice_missing", "choice");
    expect(unchosen).to.contain(`id="choice-fault">${en.phrases.fault_choice_missing}<`);
    expect(unchosen).to.match(/role="radiogroup"[^>]* aria-invalid="true" aria-describedby="choice-fault"/);
    const unticked = html("fault_account_missing", "account");
    expect(unticked).to.contain(`id="account-fault">${en.phrases.fault_account_missing}<`);
    expect(unticked).to.match(/<input type="checkbox" id="account"[^>]* aria-invalid="true"/);
    expect(pages.consent({ language: "en" }, view)).to.not.contain("aria-invalid");
  });

  it("carry what was wrong with a consent along when its language is changed", () => {
    const page = { language: "en", switchPath: "/oauth/interaction/1" } as const;
    const button = / form="decision" name="go" value="language" formaction="[^"]+\?lang=cs"/;
    const carried = 'name="faults" value="fault_changed"';
    for (const view of [
      sampleConsent(["aisp"], 1),
      sampleConsent(["pisp"], 0),
      sampleConsent(["aisp", "pisp"], 40),
    ]) {
      const faults = [{ key: "fault_changed", field: "content" }] as const;
      const html = pages.consent(page, { ...view, faults });
      expect(html).to.match(button);
      expect(/<form id="decision".*?<\/form>/s.exec(html)?.[0]).to.contain(carried);
      expect(pages.consent(page, view)).to.not.contain('name="faults"');
    }
    expect(pages.consent(page, sampleConsent(["aisp"], 1))).to.contain('href="/oauth/interaction/1?lang=cs"');
  });

  it("say on the consent page what the company does not get (UI-11)", () => {
    for (const [scopes, kept] of [
      [["aisp"], ["aisp_only_not"]],
      [["pisp"], ["pisp_only_not"]],
      [["aisp", "pisp"], []],
    ] as const) {
      const html = pages.consent({ language: "cs" }, sampleConsent(scopes, 2));
      const told = (["aisp_only_not", "pisp_only_not", "secrets_not"] as const).filter((key) =>
        html.includes(cs.phrases[key]),
      );
      expect(told).to.deep.equal([...kept, "secrets_not"]);
    }
  });

  it("offer no choice of accounts for payments only", () => {
    const html = pages.consent({ language: "en" }, sampleConsent(["pisp"], 0));
    expect(html).to.not.match(/type="(radio|checkbox)"/);
    expect(html).to.contain(en.phrases.pisp_each);
  });

  it("group more than ten accounts by currency", () => {
    const html = pages.consent({ language: "en" }, sampleConsent(["aisp"], 11));
    expect([...html.matchAll(/Accounts in (\w+)/g)].map(([, currency]) => currency)).to.deep.equal([
      "CZK",
      "EUR",
      "USD",
    ]);
    expect(pages.consent({ language: "en" }, sampleConsent(["aisp"], 10))).to.not.contain("Accounts in");
  });

  it("sort accounts by name as the language does, with numbers by their value", () => {
    const names = ["Účet 10", "Úspory", "Účet 9", "Cestování", "Chata"];
    const accounts = sampleAccounts(names.length).map((account, index) => ({
      ...account,
      names: { cs: names[index] ?? "", en: names[index] ?? "" },
    }));
    const html = pages.consent({ language: "cs" }, { ...sampleConsent(["aisp"], 0), accounts });
    const listed = [...html.matchAll(/"account-name"><bdi>([^<]+)/g)].map(([, name]) => name);
    expect(listed).to.deep.equal(["Cestování", "Chata", "Účet 9", "Účet 10", "Úspory"]);
  });

  it("call an account by its number when it has no name, and by its IBAN when it has no number", () => {
    const [first, second] = sampleAccounts(2).map((account) => ({ ...account, names: null, products: null }));
    if (first === undefined || second === undefined) throw new Error("two accounts");
    const accounts = [first, { ...second, number: null }];
    const html = pages.consent({ language: "en" }, { ...sampleConsent(["aisp"], 0), accounts });
    const listed = [...html.matchAll(/"account-name"><bdi>([^<]+)/g)].map(([, name]) => name);
    expect(listed).to.deep.equal([`${first.number}/9900`, presentIban(second.iban)]);
    expect(html).to.contain('"account-product">CZK<').and.not.contain("null");
  });

  it("show each number of an account once, even when it stands for the name or is the only one", () => {
    const [account] = sampleAccounts(1);
    if (account === undefined) throw new Error("one account");
    const [number, iban] = [`${account.number}/${account.bankCode}`, presentIban(account.iban)];
    for (const [unknown, numbers] of [
      [{}, [number, iban]],
      [{ names: null }, [number, iban]],
      [{ number: null }, [iban]],
      [{ names: null, bankCode: null }, [iban]],
    ] as const) {
      const accounts = [{ ...account, ...unknown }];
      const html = pages.consent({ language: "en" }, { ...sampleConsent(["aisp"], 0), accounts });
      for (const each of [number, iban])
        expect(html.split(each).length - 1, JSON.stringify(unknown)).to.equal(numbers.includes(each) ? 1 : 0);
    }
  });

  it("use the application's name in the language of the page when it registered one", () => {
    const application = { clientName: "Money", localizedNames: [{ language: "cs-CZ", name: "Peníze" }] };
    const view = { ...sampleSignIn, asking: { ...sampleAsking, application } };
    expect(pages.signIn({ language: "cs" }, view)).to.contain("„<bdi>Peníze</bdi>“");
    expect(pages.signIn({ language: "en" }, view)).to.contain("“<bdi>Money</bdi>”");
  });

  it("prefer the name in the language itself to one of a region, wherever it stands", () => {
    const localizedNames = [
      { language: "en-US", name: "Checking" },
      { language: "EN", name: "Current" },
      { language: "enm", name: "Moneie" },
    ];
    const application = { clientName: "Peníze", localizedNames };
    const view = { ...sampleSignIn, asking: { ...sampleAsking, application } };
    expect(pages.signIn({ language: "en" }, view)).to.contain("“<bdi>Current</bdi>”");
  });

  it("name no host for an application on a device, which has none (RFC 8252 7.1)", () => {
    const view = { ...sampleSignIn, cancel: { action: "/cancel", token: "t", host: "" } };
    expect(pages.signIn({ language: "en" }, view)).to.contain("Cancel and return to the application");
  });
});

describe("The templates", () => {
  it("output nothing unescaped except other templates", () => {
    for (const file of readdirSync(TEMPLATES)) {
      const source = readFileSync(new URL(file, TEMPLATES), "utf8");
      for (const [, raw] of source.matchAll(/<%~([^%]*)%>/g)) {
        expect(raw, file).to.match(/^ (it\.body|include\("@[a-z-]+", .*\)) $/);
      }
    }
  });
});

describe("The stylesheet", () => {
  const { body, fileName } = pages.stylesheet;

  it("loads nothing, and has a hash of its content in its name", () => {
    expect(body.toString()).to.not.match(/url\(|@import|expression/);
    expect(fileName).to.match(/^pages\.[0-9a-f]{16}\.css$/);
  });
});
