import { readFileSync } from "node:fs";
import { type Accents, accentRule } from "../theme/bank-colour.ts";
import { type Asset, makeAsset } from "./asset.ts";

const FILE = new URL("../../assets/pages.css", import.meta.url);

/** Reads the one stylesheet, in the bank's colours if it has some. */
export function loadStylesheet(accents: Accents | undefined): Asset {
  const own = accents === undefined ? "" : accentRule(accents);
  return makeAsset("pages", "css", Buffer.concat([Buffer.from(own), readFileSync(FILE)]));
}
