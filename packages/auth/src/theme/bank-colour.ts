/**
 * How a bank makes the pages its own. This folder owns the bank's colour and logo: what is taken from configuration, what is
 * refused because people could not read it, and what is made of it. Words and layout are no matter of a bank's.
 */
import { type Colour, contrast, mixColours, readColour, WHITE, writeColour } from "./contrast.ts";

/** The colours of links and buttons that follow from the one of a bank. */
export interface Accents {
  readonly light: AccentColours;
  readonly dark: AccentColours;
}

/** In one theme: the colour itself, a stronger one under the pointer, what is written on it, and a tint for grounds. */
export interface AccentColours {
  readonly accent: string;
  readonly strong: string;
  readonly on: string;
  readonly tint: string;
}

/** The card and the ground of the dark theme, as in the stylesheet. */
const DARK_CARD: Colour = [0x18, 0x22, 0x2b];
const DARK_ON: Colour = [0x08, 0x16, 0x1e];
const BLACK: Colour = [0, 0, 0];
/** Text (WCAG 2.2 1.4.3), which the contrast of controls (1.4.11) follows from. */
const LEAST_CONTRAST = 4.5;
const TINT = 0.09;
const STEP = 0.02;

/**
 * Reads the colour of a bank, `#rrggbb`. In the light theme it is used as it is: links are written in it, and buttons are
 * filled with it under white letters. Throws, with a colour that would do, when its contrast is too low for either.
 */
export function parseBankColour(text: string): Accents {
  const colour = readColour(text);
  if (colour === undefined) throw new Error("must be a colour as #rrggbb");
  const found = leastContrast(colour);
  if (found < LEAST_CONTRAST) throw new Error(refusal(found, untilReadable(colour, BLACK, leastContrast)));
  return { light: lightAccents(colour), dark: darkAccents(colour) };
}

function refusal(found: number, darker: Colour): string {
  return `has a contrast of ${found.toFixed(2)} : 1, and text needs ${LEAST_CONTRAST} : 1 (WCAG 2.2 1.4.3): ${writeColour(darker)} would do`;
}

/** With white, which buttons carry, and with its own tint, the darkest ground that links stand on. */
function leastContrast(colour: Colour): number {
  return Math.min(contrast(colour, WHITE), contrast(colour, tintOf(colour)));
}

function tintOf(colour: Colour): Colour {
  return mixColours(WHITE, colour, TINT);
}

function lightAccents(colour: Colour): AccentColours {
  return written({
    accent: colour,
    strong: mixColours(colour, BLACK, 0.25),
    on: WHITE,
    tint: tintOf(colour),
  });
}

/** On dark ground the colour is made lighter until it can be read there. */
function darkAccents(colour: Colour): AccentColours {
  const tint = mixColours(DARK_CARD, colour, 2 * TINT);
  const readable = (each: Colour) =>
    Math.min(contrast(each, DARK_CARD), contrast(each, tint), contrast(each, DARK_ON));
  const accent = untilReadable(colour, WHITE, readable);
  return written({ accent, strong: mixColours(accent, WHITE, 0.4), on: DARK_ON, tint });
}

/** The nearest colour on the way to another one that has enough contrast. */
function untilReadable(from: Colour, to: Colour, ratio: (colour: Colour) => number): Colour {
  for (let share = 0; share < 1; share += STEP) {
    const colour = mixColours(from, to, share);
    if (ratio(colour) >= LEAST_CONTRAST) return colour;
  }
  return to;
}

function written(colours: Readonly<Record<keyof AccentColours, Colour>>): AccentColours {
  const { accent, strong, on, tint } = colours;
  return {
    accent: writeColour(accent),
    strong: writeColour(strong),
    on: writeColour(on),
    tint: writeColour(tint),
  };
}

/** The rule that goes before the stylesheet, whose own colours are what it falls back to. */
export function accentRule({ light, dark }: Accents): string {
  const lines = [...declarations("light", light), ...declarations("dark", dark)];
  return `:root {\n${lines.join("\n")}\n}\n\n`;
}

function declarations(theme: keyof Accents, { accent, strong, on, tint }: AccentColours): readonly string[] {
  const name = `  --bank-${theme}`;
  return [
    `${name}: ${accent};`,
    `${name}-strong: ${strong};`,
    `${name}-on: ${on};`,
    `${name}-tint: ${tint};`,
  ];
}
