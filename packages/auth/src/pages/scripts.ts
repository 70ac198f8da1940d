import { readFileSync } from "node:fs";
import { type Asset, makeAsset } from "./asset.ts";

const FOLDER = new URL("../../assets/", import.meta.url);

/** The scripts of pages; every page works without them. */
export interface PageScripts {
  /** For every page: sends a form once while its response is on the way. */
  readonly sendOnce: Asset;
  /** For pages on which passkeys can be used. */
  readonly passkeys: Asset;
}

/** Reads the scripts of the pages. */
export function loadScripts(): PageScripts {
  return { sendOnce: loadScript("send-once"), passkeys: loadScript("passkeys") };
}

function loadScript(name: string): Asset {
  return makeAsset(name, "js", readFileSync(new URL(`${name}.js`, FOLDER)));
}
