/** axe-core, which judges accessibility, in the documents of a browser. */
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const { resolve } = createRequire(import.meta.url);

/** WCAG 2.2 at levels A and AA, and good practice beyond it. */
export const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The only rules whose outcome can depend on the colour scheme, up to level AAA. */
export const COLOURS = ["cat.color"];

/** Injects axe into every document that the page opens from now on. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: resolve("axe-core/axe.min.js") });
}

/** Violations of the rules with these tags on the fully loaded page, except in one part of it: rule, and place. */
export async function violations(
  page: Page,
  tags: readonly string[],
  except?: string,
): Promise<readonly string[]> {
  // A click resolves when the next document begins to arrive.
  await page.waitForLoadState();
  const context = { include: ["html"], ...(except !== undefined && { exclude: [except] }) };
  const options: RunOptions = {
    runOnly: { type: "tag", values: [...tags] },
    resultTypes: ["violations"],
    // Rules about colours do not read the stylesheets, which axe would fetch again.
    preload: tags !== COLOURS,
  };
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`;
  // Only the violations leave the browser, because the other results describe every element.
  const found: AxeResults["violations"] = await page.evaluate(`${run}.then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
