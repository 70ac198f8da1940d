import type { Schema } from "../openapi-document.ts";

/** The members of a page, beside its entries (COBS PDF 1.2.8.4). */
export const PAGE_MEMBERS: Readonly<Record<string, Schema>> = {
  pageNumber: { type: "integer", minimum: 0, description: "Number of this page, from 0.", examples: [0] },
  pageCount: {
    type: "integer",
    minimum: 0,
    description: "Number of pages for this query; 0 if nothing was found.",
    examples: [1],
  },
  nextPage: {
    type: ["integer", "null"],
    minimum: 1,
    description: "Number of the next page; null on the last.",
    examples: [null],
  },
  pageSize: {
    type: "integer",
    minimum: 0,
    maximum: 100,
    description: "Number of entries on this page.",
    examples: [2],
  },
  totalCount: {
    type: "integer",
    minimum: 0,
    description: "Number of entries on all pages.",
    examples: [2],
  },
};
