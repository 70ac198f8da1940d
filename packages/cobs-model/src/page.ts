import { ContentRefusal } from "./refusal.ts";

/** The requested page (COBS PDF 1.2.8.4): zero-based number, and entries per page, already within the cap. */
export type PageRequest = { readonly page: number; readonly size: number };

/** Entries of one page, and the number of entries on all pages. */
export type PageContent<Entry> = { readonly entries: readonly Entry[]; readonly totalCount: number };

/** A page that exists. */
export type Page<Entry> = PageContent<Entry> & { readonly request: PageRequest };

/** The flat envelope of a page on the wire (COBS PDF 1.2.8.4; ). */
export type PageEnvelope = {
  readonly pageNumber: number;
  readonly pageCount: number;
  readonly nextPage: number | null;
  readonly pageSize: number;
  readonly totalCount: number;
};

/** Ties entries to the requested page, or refuses a page past the end with PAGE_NOT_FOUND. */
export function requireExistingPage<Entry>(request: PageRequest, content: PageContent<Entry>): Page<Entry> {
  if (request.page > 0 && request.page >= pageCountOf(request, content.totalCount)) {
    throw new ContentRefusal([{ code: "PAGE_NOT_FOUND", path: "page", message: "there is no such page" }]);
  }
  return { entries: content.entries, totalCount: content.totalCount, request };
}

/** Writes the envelope; `pageSize` is the number of entries in this answer. */
export function presentPage(page: Page<unknown>): PageEnvelope {
  const pageCount = pageCountOf(page.request, page.totalCount);
  const next = page.request.page + 1;
  return {
    pageNumber: page.request.page,
    pageCount,
    nextPage: next < pageCount ? next : null,
    pageSize: page.entries.length,
    totalCount: page.totalCount,
  };
}

function pageCountOf(request: PageRequest, totalCount: number): number {
  return Math.ceil(totalCount / request.size);
}
