import type { PaymentSymbols } from "./payment-order.ts";

const MEMBERS = { VS: "variable", KS: "constant", SS: "specific" } as const;

/** Symbols at the start of a message (COBS 4.27, A-58); a longer number is no symbol. */
const UNSTRUCTURED = /^\/?(?:VS|SS|KS)\/\d{1,10}(?!\d)(?:\/(?:VS|SS|KS)\/\d{1,10}(?!\d))*/;

/** The symbols of a payment; where both forms have one, the structured one wins (COBS 4.27). */
export function findSymbols(references: readonly string[], unstructured: string | undefined): PaymentSymbols {
  return { ...symbolsIn(unstructured ?? ""), ...symbolsOf(references, ":") };
}

/** A symbol that is there twice is one that nobody can tell: then the text is a message and nothing else. */
function symbolsIn(message: string): PaymentSymbols {
  const [start = ""] = UNSTRUCTURED.exec(message) ?? [];
  const found = start.match(/[VSK]S\/\d+/g) ?? [];
  const names = new Set(found.map((each) => each.slice(0, 2)));
  return names.size === found.length ? symbolsOf(found, "/") : {};
}

function symbolsOf(texts: readonly string[], mark: ":" | "/"): PaymentSymbols {
  const symbols: { variable?: string; constant?: string; specific?: string } = {};
  for (const text of texts) {
    const [name, digits] = text.split(mark);
    if (name === "VS" || name === "KS" || name === "SS") symbols[MEMBERS[name]] = digits ?? "";
  }
  return symbols;
}
