/**
 * How a bank makes the pages its own. This folder owns the bank's colour and logo: what is read from configuration, what is
 * refused because people could not read it, and what is derived from it. A bank cannot change words or layout.
 */
import { type Colour, contrast, mixColours, readColour, WHITE, writeColour } from "./contrast.ts";

/** The colours of links and buttons, derived from the bank's one colour. */
export interface Accents {
  readonly light: AccentColours;
  readonly dark: AccentColours;
}

/**
 * The accents of one theme: the colour itself, a stronger one under the pointer, the colour of text on it, and a tint for
 * backgrounds.
 */
export interface AccentColours {
  readonly accent: string;
  readonly strong: string;
  readonly on: string;
  readonly tint: string;
}

/** The card of the dark theme, as in the stylesheet. */
const DARK_CARD: Colour = [0x18, 0x22, 0x2b];
const DARK_ON: Colour = [0x08, 0x16, 0x1e];
const BLACK: Colour = [0, 0, 0];
/** The minimum for text (WCAG 2.2 1.4.3), which also satisfies that of controls (1.4.11). */
const LEAST_CONTRAST = 4.5;
const TINT = 0.09;
const STEP = 0.02;

/**
 * Reads the colour of a bank, `#rrggbb`. The light theme uses it as it is: for links, and to fill buttons under white letters.
 * When its contrast is too low for either, throws an error that suggests a colour that would do.
 */
export function parseBankColour(text: string): Accents {
  const colour = readColour(text);
  if (colour === undefined) throw new Error("must be a colour of the form #rrggbb");
  const found = leastContrast(colour);
  if (found < LEAST_CONTRAST) throw new Error(refusal(found, untilReadable(colour, BLACK, leastContrast)));
  return { light: lightAccents(colour), dark: darkAccents(colour) };
}

function refusal(found: number, darker: Colour): string {
  return `has a contrast of ${found.toFixed(2)} : 1, but text needs ${LEAST_CONTRAST} : 1 (WCAG 2.2 1.4.3): use ${writeColour(darker)}, for example`;
}

/** The lower of its contrasts with white, which buttons carry, and with its own tint, the darkest background of links. */
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

/** Makes the colour lighter until it can be read on a dark background. */
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

/** The CSS rule to put before the stylesheet, which falls back to its own colours without it. */
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
