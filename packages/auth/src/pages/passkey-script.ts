import { readFileSync } from "node:fs";
import { type Asset, nameAsset } from "./asset.ts";

const FILE = new URL("../../assets/passkeys.js", import.meta.url);

/** Reads the one script, for the pages on which passkeys can be used; they work without it. */
export function loadPasskeyScript(): Asset {
  const body = readFileSync(FILE);
  return { fileName: nameAsset("passkeys", "js", body), type: "text/javascript; charset=utf-8", body };
}
