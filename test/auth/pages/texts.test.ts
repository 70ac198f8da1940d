import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { Texts } from "../../../packages/auth/src/pages/texts/texts.ts";

const SOURCES = new URL("../../../packages/auth/src/", import.meta.url);
const TEMPLATES = new URL("../../../packages/auth/templates/", import.meta.url);
/** What both languages write alike: names, numbers and punctuation. */
const SAME_IN_BOTH = ["IBAN"];
/** Words of English that no Czech sentence has. */
const ENGLISH =
  /\b(the|and|you|your|of|with|this|that|for|not|is|are|was|have|from|please|sign in|account)\b/i;
/** A preposition or conjunction of one letter, left at the end of a line by the space behind it. */
const LONELY_LETTER = /(?:^|[\s(„])[aikosuvz] \S/i;

function textsOf({ phrases, messages }: Texts): ReadonlyMap<string, string> {
  const all = new Map<string, string>(Object.entries(phrases));
  for (const [key, { title, lead, advice }] of Object.entries(messages)) {
    for (const [index, text] of [title, lead, ...advice].entries()) all.set(`${key} ${index}`, text);
  }
  return all;
}

/** What a template would show without any value: neither tags, but for what people read of them, nor code. */
function wordsOf(source: string): string {
  const withoutCode = source.replace(/<%[\s\S]*?%>/g, "");
  const attributes = [...withoutCode.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)];
  return withoutCode.replace(/<[^>]*>/g, "") + attributes.map(([, text]) => text).join("");
}

describe("The words of the pages", () => {
  it("are all in the texts of a language, none in a template", () => {
    for (const file of readdirSync(TEMPLATES)) {
      const source = readFileSync(new URL(file, TEMPLATES), "utf8");
      expect(wordsOf(source), file).to.not.match(/\p{L}/u);
    }
  });

  it("are Czech in the Czech texts, without English sentences or words", () => {
    const english = textsOf(en);
    for (const [key, text] of textsOf(cs)) {
      expect(text.replace(/\{\w+\}/g, ""), key).to.not.match(ENGLISH);
      if (!SAME_IN_BOTH.some((same) => text.includes(same))) expect(text, key).to.not.equal(english.get(key));
    }
  });

  it("leave no one-letter Czech word at the end of a line (ČSN 01 6910)", () => {
    for (const [key, text] of textsOf(cs)) expect(text, key).to.not.match(LONELY_LETTER);
  });

  it("say that the five minutes to decide begin with the sign-in (RTS Article 4(3)(d))", () => {
    expect(en.messages.session_idle.lead).to.contain("you have five minutes from your sign-in to decide.");
    expect(cs.messages.session_idle.lead).to.contain("máte na rozhodnutí pět minut od přihlášení.");
  });

  it("say in Czech, as in English, that a payment is approved and not confirmed", () => {
    const czech = textsOf(cs);
    for (const [key, text] of textsOf(en)) {
      const its = czech.get(key) ?? "";
      if (/\bapprov/i.test(text)) expect(its, key).to.match(/schv[aá]l/i);
      if (!/\bconfirm/i.test(text)) expect(its, key).to.not.match(/potvr[dz]/i);
    }
  });

  it("use different Czech verbs for withdrawing access and revoking consent", () => {
    for (const [key, text] of textsOf(cs)) {
      for (const sentence of text.split(/(?<=[.?:;])\s/)) {
        if (/odvol/i.test(sentence)) expect(sentence, key).to.match(/souhlas/i);
        if (/odeb(?:er|r)/i.test(sentence)) expect(sentence, key).to.not.match(/souhlas/i);
      }
    }
  });

  it("say when an order without a date is paid in words that also hold after the decision", () => {
    for (const { phrases } of [cs, en]) expect(phrases.order_soon).to.not.match(/\byou\b|schv[aá]l[ií]te/);
  });

  it("say that a new passkey approves payments only after 24 hours", () => {
    expect(en.phrases.done_passkey_added).to.match(/approve payments only after 24 hours\.$/);
    expect(cs.phrases.done_passkey_added).to.match(/schvalovat platby až po 24\u00a0hodinách\.$/);
  });

  it("use a lasting Czech verb after “odteď”, and no redundant “zpět” after “vraťte se”", () => {
    for (const [key, text] of textsOf(cs)) {
      for (const sentence of text.split(/(?<=\.)\s/))
        if (/odteď/i.test(sentence)) expect(sentence, key).to.match(/\sbud(?:e|eme)\s/);
      expect(text, key).to.not.match(/vra[ťc]\S* se zpět[ ,.\u00a0](?!na|do)/i);
    }
  });

  it("say for each fault what to do: as a short order, or in a sentence after what is wrong", () => {
    const czech = textsOf(cs);
    for (const [key, text] of textsOf(en)) {
      if (!key.startsWith("fault_") || key === "fault_summary") continue;
      const parts = (of: string) => of.split(/(?<=[.;:])\s/).length;
      const its = czech.get(key) ?? "";
      expect(its.endsWith("."), key).to.equal(text.endsWith("."));
      if (!text.endsWith(".")) expect(text, key).to.match(/^(?:Choose|Enter|Tick) /);
      else
        expect(
          [parts(text), parts(its)].every((count) => count > 1),
          key,
        ).to.equal(true);
    }
  });

  it("say of a code, whoever pays, that it must never be told to anybody", () => {
    const sentences = (text: string) => text.split(/(?<=\.)\s/);
    for (const key of ["bound_code_text", "bound_code_text_account"] as const) {
      const told = sentences(en.phrases[key]).filter((each) => /\btell\b/.test(each));
      expect(told, key).to.deep.equal(["Enter it on our page only and never tell it to anybody."]);
      const czech = sentences(cs.phrases[key]).filter((each) => /neříkejte/.test(each));
      expect(czech, key).to.deep.equal(["Zadejte ho jen na naší stránce a\u00a0nikomu ho neříkejte."]);
    }
  });

  it("advise deleting from a device only what was not confirmed and does not work either", () => {
    expect(en.phrases.sign_in_unconfirmed).to.match(
      /^If .* we have not confirmed it, .* If we do not accept it, delete /,
    );
    expect(cs.phrases.sign_in_unconfirmed).to.match(
      /^Pokud .*\snepotvrdili jsme vám to, .* Když je nepřijmeme, smažte/,
    );
  });

  it("ask for another code only those who typed one of an app: a passkey has none, and an activation code stays", () => {
    expect(en.phrases.sign_in_used).to.match(/\. If you typed a code from an app, wait for the next one\./);
    expect(cs.phrases.sign_in_used).to.match(/\. Pokud jste zadali kód z\saplikace, počkejte na další\./);
  });

  it("speak of the effects of this consent alone, because the company may have another one", () => {
    const keys = [
      "aisp_only_not",
      "pisp_only_not",
      "withdraw_aisp",
      "withdraw_pisp",
      "card_withdraw_lead",
      "card_withdraw_effect",
    ] as const;
    for (const key of keys) {
      expect(en.phrases[key], key).to.match(/\bthis (?:application|consent|does not)\b/i);
      expect(cs.phrases[key], key).to.match(/ tím |tuto aplikaci|tohoto souhlasu/i);
    }
  });

  it("ask for a choice in words that also hold for a list of many pages", () => {
    for (const { phrases } of [cs, en])
      expect(phrases.fault_choice_missing).to.not.match(/listed here|zde uvedené/);
  });

  it("do not say “above” in a fault, which is also shown at the top of the page", () => {
    for (const [key, text] of [...textsOf(en), ...textsOf(cs)])
      if (key.startsWith("fault_")) expect(text, key).to.not.match(/\babove\b|výše/i);
  });

  it("use the Czech verb for “decide” in its reflexive form", () => {
    for (const [key, text] of textsOf(cs))
      expect(text, key).to.not.match(/(?<! se )\b(?:ne)?rozhod(?:nete|li)\b(?! se)/i);
  });

  it("do not use the ambiguous Czech verb “označit” for ticking a box", () => {
    for (const [key, text] of textsOf(cs)) expect(text, key).to.not.match(/označ(?:il|ím|ít|te|en[éý])/i);
  });

  it("say what to do on every message page, without sessions, status codes or error codes", () => {
    for (const [key, { advice }] of Object.entries({ ...en.messages })) expect(advice, key).to.not.be.empty;
    for (const [key, text] of [...textsOf(en), ...textsOf(cs)]) {
      expect(text, key).to.not.match(/\bsession\b|not found|nenalezen|\bHTTP\b|\b[45]\d\d\b|invalid_/i);
    }
  });

  it("ask for cookies in the plural, and without saying how long they stay", () => {
    expect(en.messages.cookies_missing.lead)
      .to.contain("We need cookies")
      .and.to.not.match(/\bone\b|minutes/);
    expect(cs.messages.cookies_missing.lead)
      .to.contain("Soubory cookie")
      .and.to.not.match(/jedin|minut/);
  });

  it("send the PSU back to an application only if one sent them", () => {
    for (const key of ["cookies_missing", "form_malformed", "form_untrusted", "not_found"] as const) {
      const told = (texts: Texts) => texts.messages[key].advice.filter((text) => /applic|aplikac/.test(text));
      for (const text of told(en)) expect(text).to.match(/if .*an application sent you here/i);
      for (const text of told(cs)) expect(text).to.match(/pokud .*poslala (?:vás sem )?aplikace/i);
    }
  });

  it("name passkeys beside codes where wrong ones of both are counted together", () => {
    for (const key of ["signing_tries_exhausted", "signing_held_off"] as const) {
      expect(en.messages[key].lead, key).to.match(/codes? or (?:the )?passkeys?/);
      expect(cs.messages[key].lead, key).to.match(/kód[ůy]? (?:či|nebo) přístupov(?:ých|ý) klíč/i);
    }
  });

  it("are each used by the code, under a key named whole or composed of its parts", () => {
    const code = [SOURCES, TEMPLATES].flatMap(sources).join("");
    for (const key of Object.keys(en.phrases)) {
      const cuts = [...key.matchAll(/_/g)].map(({ index }) => index);
      const made = cuts.flatMap((cut) => [`\`${key.slice(0, cut)}_\${`, `}${key.slice(cut)}\``]);
      const whole = new RegExp(`["'.\\s]${key}["',;:\\])\\s]`);
      expect(whole.test(code) || made.some((part) => code.includes(part)), key).to.equal(true);
    }
  });
});

describe("The stylesheet", () => {
  const css = createPages({ bankName: "Bank" }).stylesheet.body.toString();

  it("separates buttons and breaks long words in ways that old phones support too", () => {
    expect(css).to.match(/\n\.actions \{\s+display: grid;\s+gap:/);
    expect(css).to.match(/\n {2}\.actions\.even > \* \+ \* \{\s+margin-inline-start:/);
    expect(css).to.match(/\nbody \{[^}]*\sword-break: break-word;/);
  });

  it("animates nothing, for people whom motion makes ill (WCAG 2.2 2.3.3)", () => {
    expect(css).to.not.match(/animation|transition|scroll-behavior/);
  });
});

function sources(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|eta)$/.test(name) && !name.includes("texts/"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
}
