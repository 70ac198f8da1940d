/** The judge of accessibility, axe-core, in the documents of a browser. */
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const { resolve } = createRequire(import.meta.url);

/** WCAG 2.2 at levels A and AA, and what is good practice beside it. */
export const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The only rules whose outcome another colour scheme can change, up to level AAA. */
export const COLOURS = ["cat.color"];

/** Brings axe into every document that the page opens from now on. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: resolve("axe-core/axe.min.js") });
}

/** What axe finds by rules with these tags, in the page once it is there as a whole, but for a part of it: rule, and where. */
export async function violations(
  page: Page,
  tags: readonly string[],
  except?: string,
): Promise<readonly string[]> {
  // A click ends when the next document begins to arrive.
  await page.waitForLoadState();
  const context = { include: ["html"], ...(except !== undefined && { exclude: [except] }) };
  const options: RunOptions = {
    runOnly: { type: "tag", values: [...tags] },
    resultTypes: ["violations"],
    // No rule of colours reads the stylesheets, which axe would fetch once more.
    preload: tags !== COLOURS,
  };
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`;
  // Nothing else of the results leaves the browser: they tell of every element.
  const found: AxeResults["violations"] = await page.evaluate(`${run}.then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
