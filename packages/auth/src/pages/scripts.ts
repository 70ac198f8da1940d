import { readFileSync } from "node:fs";
import { type Asset, makeAsset } from "./asset.ts";

const FOLDER = new URL("../../assets/", import.meta.url);

/** The scripts of pages, all of which work without them. */
export interface PageScripts {
  /** For every page: what a form was sent with is waited for. */
  readonly sendOnce: Asset;
  /** For pages on which passkeys can be used. */
  readonly passkeys: Asset;
}

/** Reads them. */
export function loadScripts(): PageScripts {
  return { sendOnce: loadScript("send-once"), passkeys: loadScript("passkeys") };
}

function loadScript(name: string): Asset {
  return makeAsset(name, "js", readFileSync(new URL(`${name}.js`, FOLDER)));
}
