import { expect } from "chai";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { accentRule, parseBankColour } from "../../../packages/auth/src/theme/bank-colour.ts";
import { parseBankLogo } from "../../../packages/auth/src/theme/bank-logo.ts";
import { contrast, readColour, writeColour } from "../../../packages/auth/src/theme/contrast.ts";
import { startComputing } from "../../support/stopwatch.ts";

const SVG = Buffer.from(
  '<?xml version="1.0"?>\n<!-- a mark -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const CARD = { light: "#ffffff", dark: "#18222b" } as const;

function ratio(one: string, other: string): number {
  const [first, second] = [readColour(one), readColour(other)];
  if (first === undefined || second === undefined) throw new TypeError("no colour");
  return contrast(first, second);
}

describe("The colour of a bank", () => {
  it("has its contrast measured as WCAG 2.2 defines it", () => {
    expect(ratio("#000000", "#ffffff")).to.equal(21);
    expect(ratio("#ffffff", "#000000")).to.equal(21);
    expect(ratio("#777777", "#ffffff")).to.be.closeTo(4.48, 0.005);
    expect(ratio("#336699", "#336699")).to.equal(1);
  });

  it("is readable in both themes, as text, on buttons and under the pointer (WCAG 2.2 1.4.3, 1.4.11)", () => {
    for (const colour of ["#000000", "#0a5276", "#b00020", "#006b3c", "#5b2d8e", "#7a4b00", "#0000ff"]) {
      const accents = parseBankColour(colour);
      expect(accents.light.accent).to.equal(colour);
      for (const theme of ["light", "dark"] as const) {
        const { accent, strong, on, tint } = accents[theme];
        const pairs = [
          [accent, CARD[theme]],
          [accent, tint],
          [on, accent],
          [on, strong],
        ] as const;
        for (const [one, other] of pairs) {
          expect(ratio(one, other), `${colour} ${theme} ${one} ${other}`).to.be.at.least(4.5);
        }
      }
    }
  });

  it("is refused when it is unreadable, and a readable one is proposed", () => {
    for (const pale of ["#ff9900", "#ffffff", "#00bcd4", "#e60000"]) {
      const told = refusalOf(pale);
      expect(told).to.match(
        /^has a contrast of [\d.]+ : 1, but text needs 4.5 : 1 \(WCAG 2.2 1.4.3\): use #[0-9a-f]{6}, for example$/,
      );
      const proposed = /#[0-9a-f]{6}/.exec(told)?.[0] ?? "";
      expect(parseBankColour(proposed).light.accent).to.equal(proposed);
    }
  });

  it("must be #rrggbb, so that it brings nothing else into the stylesheet", () => {
    for (const text of [
      "red",
      "#fff",
      "0a5276",
      "#0a52761",
      "#0a5276;}",
      "url(//evil.example)",
      "#0a5276\n",
    ]) {
      expect(refusalOf(text), text).to.equal("must be a colour of the form #rrggbb");
    }
    expect(writeColour([10, 82, 118])).to.equal("#0a5276");
  });

  it("comes before the stylesheet, whose name depends on both", () => {
    const plain = createPages({ bankName: "Bank" }).stylesheet;
    const accents = parseBankColour("#006b3c");
    const green = createPages({ bankName: "Bank", accents }).stylesheet;
    expect(green.fileName).to.not.equal(plain.fileName);
    expect(green.body.toString()).to.equal(accentRule(accents) + plain.body.toString());
    for (const [name] of accentRule(accents).matchAll(/--bank-[a-z-]+/g)) {
      expect(plain.body.toString()).to.contain(`var(${name},`);
    }
  });
});

describe("The logo of a bank", () => {
  it("must be an SVG or a PNG by its content, of limited size", () => {
    expect(parseBankLogo(SVG).kind).to.equal("svg");
    expect(parseBankLogo(PNG).kind).to.equal("png");
    const html = Buffer.from("<!DOCTYPE html><svg>");
    const entities = Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>');
    for (const other of [html, entities, Buffer.from("GIF89a"), Buffer.from("svg"), Buffer.alloc(0)]) {
      expect(() => parseBankLogo(other)).to.throw("must be an SVG or PNG file");
    }
    expect(() => parseBankLogo(Buffer.concat([SVG, Buffer.alloc(100_000, " ")]))).to.throw(
      "at most 100000 are allowed",
    );
  });

  it("is read quickly, whatever the file holds", () => {
    const hostile = Buffer.from(`${" ".repeat(20_000)}${"<!-- - ".repeat(10_000)}`);
    const computed = startComputing();
    expect(() => parseBankLogo(hostile)).to.throw();
    expect(computed()).to.be.below(1_000);
  });

  it("is served under the name of its content and its own policy, and shown beside the bank's name", () => {
    const pages = createPages({ bankName: "Bank & Sons", logo: parseBankLogo(SVG) });
    const html = pages.message({ language: "en" }, { message: "failed" });
    const logo = pages.assets.find(({ type }) => type === "image/svg+xml");
    expect(logo?.fileName).to.match(/^logo\.[0-9a-f]{16}\.svg$/);
    expect(logo?.contentSecurityPolicy).to.equal(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    );
    expect(html).to.contain(
      `<p translate="no" class="bank"><img src="/assets/${logo?.fileName}" alt="" height="32">Bank &amp; Sons</p>`,
    );
    expect(
      createPages({ bankName: "Bank" }).message({ language: "en" }, { message: "failed" }),
    ).to.not.contain("<img");
  });
});

function refusalOf(colour: string): string {
  try {
    parseBankColour(colour);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}
