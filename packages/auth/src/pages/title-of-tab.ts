import { fillText, type Texts } from "./texts/texts.ts";

/** A list that is shown page by page. */
interface PagedList {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
}

/**
 * The title of a browser's tab: first the pages of lists beyond the first, which alone tell this page from the one before (WCAG
 * 2.2 2.4.2), then what the page is about, from the particular to the general.
 */
export function titleOfTab(
  about: readonly (string | undefined)[],
  lists: readonly PagedList[],
  { phrases }: Pick<Texts, "phrases">,
): string {
  const turned = lists
    .filter(({ page }) => page > 1)
    .map(({ label, page, pages }) => `${label} – ${fillText(phrases.page_of, { page, pages })}`);
  return [...turned, ...about.filter((part) => part !== undefined)].join(" – ");
}
