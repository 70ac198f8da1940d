import { readFileSync } from "node:fs";
import { type Accents, accentRule } from "../theme/bank-colour.ts";
import { type Asset, nameAsset } from "./asset.ts";

const FILE = new URL("../../assets/pages.css", import.meta.url);

/** Reads the one stylesheet, in the colours of a bank where it has some. */
export function loadStylesheet(accents: Accents | undefined): Asset {
  const own = accents === undefined ? "" : accentRule(accents);
  const body = Buffer.concat([Buffer.from(own), readFileSync(FILE)]);
  return { fileName: nameAsset("pages", "css", body), type: "text/css; charset=utf-8", body };
}
