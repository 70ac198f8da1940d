import type { PaymentSymbols } from "./payment-order.ts";

const MEMBERS = { VS: "variable", KS: "constant", SS: "specific" } as const;

/** Symbols at the start of a message (COBS 4.27, A-58); a longer number is not a symbol. */
const UNSTRUCTURED = /^\/?(?:VS|SS|KS)\/\d{1,10}(?!\d)(?:\/(?:VS|SS|KS)\/\d{1,10}(?!\d))*/;

/** Finds the symbols of a payment; if both forms have one, the structured form takes precedence (COBS 4.27). */
export function findSymbols(references: readonly string[], unstructured: string | undefined): PaymentSymbols {
  return { ...symbolsIn(unstructured ?? ""), ...symbolsOf(references, ":") };
}

/** A symbol that occurs twice is ambiguous: the text is then only a message. */
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
