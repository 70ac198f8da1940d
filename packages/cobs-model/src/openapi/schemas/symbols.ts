import type { Schema } from "../openapi-document.ts";

/** Variable, constant and specific symbol, as payments and transactions have them; may be empty (PDF 1.2.3). */
export const SYMBOLS: Schema = {
  type: "array",
  items: {
    type: "string",
    pattern: "^(VS|KS|SS):[0-9]{1,10}$",
    description: "A symbol, each kind at most once (COBS 4.27).",
    examples: ["VS:2024005"],
  },
  maxItems: 3,
};
