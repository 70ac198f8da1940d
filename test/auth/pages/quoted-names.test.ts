import { expect } from "chai";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { sampleAuthenticator, sampleOrder, sampleRemoval } from "./sample-pages.ts";

const pages = createPages({ bankName: "Sandbox Bank" });

/** What is a quote, or is drawn like one. */
const MARKS = [
  "”",
  "''",
  "’’",
  "‚‚",
  "`´",
  "\u02ba",
  "\u02ee",
  "\u02bc\u02bc",
  "\u02dd",
  "\u02f5",
  "\u02f6",
  "\u05f4",
  "\u1fbd\u1fbd",
  "\u1fbf\u1fbf",
  "\u1ffe\u1ffe",
  "\u2032\u2032",
  "\u2033",
  "\u275c\u275c",
  "\u275e",
  "\u3003",
  "\u301e",
  "\uff02",
  "\uff40\uff40",
  "\u{1f676}",
  "\u{1f677}",
  "\u{1f678}",
];

describe("The text message with a code", () => {
  for (const mark of MARKS)
    it(`lets no payee's name close its quotes with ${mark} (UI-09)`, () => {
      const order = { ...sampleOrder().order, creditorName: `A${mark}. Call 800 B` };
      expect(pages.writeCodeText("12345678", order, "en")).to.contain("payee “A'. Call 800 B”.");
    });
});

describe("The name of a passkey", () => {
  const at = new Date("2026-07-31T12:00:00Z");
  const named = (mark: string) => ({ ...sampleRemoval.passkey, name: `A${mark}. Call 800 B` });

  it("closes its quotes in no message about the passkey (UI-09)", () => {
    for (const mark of MARKS) {
      const change = { kind: "passkey_added", name: named(mark).name } as const;
      const told = pages.writeNotice({ change, at, language: "en" });
      expect(told, mark).to.contain("The passkey is called “A' Call 800 B”.");
    }
  });

  it("closes its quotes in no heading and no link (UI-09)", () => {
    for (const mark of MARKS)
      for (const [language, quoted] of [
        ["en", "“A&#39;. Call 800 B”"],
        ["cs", "„A&#39;. Call 800 B“"],
      ] as const) {
        const passkeys = { list: [named(mark)], add: undefined, switchLanguage: sampleRemoval.form };
        const list = pages.authenticator({ language }, { ...sampleAuthenticator, passkeys });
        expect(list, mark).to.contain(`${quoted}</a>`);
        const question = pages.passkeyRemoval({ language }, { ...sampleRemoval, passkey: named(mark) });
        expect(question, mark).to.contain(`${quoted}?</h1>`);
      }
  });
});
