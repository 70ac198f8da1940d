/**
 * Writes every page to a file, for people to look at: `node --conditions=source --import tsx
 * test/auth/pages/write-sample-pages.ts FOLDER`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPages } from "../../../packages/auth/src/pages/pages.ts";
import { samplePages } from "./sample-pages.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("name a folder to write to");
const pages = createPages({ bankName: "Sandbox Bank" });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, pages.stylesheet.fileName), pages.stylesheet.body);
for (const language of ["cs", "en"] as const) {
  for (const [name, html] of samplePages(pages, language)) {
    writeFileSync(join(folder, `${name}.${language}.html`), html.replace('"/assets/', '"'));
  }
}
