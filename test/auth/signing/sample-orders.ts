import { canonicalize } from "json-canonicalize";
import type { OrderTexts } from "../../../packages/auth/src/signing/order.ts";

/** A SEPA payment with every text that an order can have. */
export const SEPA_ORDER: OrderTexts = {
  amount: "1234567.89",
  chargeBearer: "SLEV",
  creditorAddress: "Musterweg 1, 1030 Wien, AT",
  creditorBic: "TESTATWW",
  creditorIban: "AT611904300234573201",
  creditorName: "Beispiel GmbH",
  currency: "EUR",
  debtorIban: "CZ3299000000002000000018",
  endToEndIdentification: "NOTPROVIDED",
  executionDate: "2027-03-28",
  fee: "15.00",
  feeCurrency: "CZK",
  instructionIdentification: "TPP-2026-000002",
  message: "Rechnung  77",
  paymentId: "P-7f3a90c1e5",
  priority: "NORM",
  ultimateDebtor: "Karel Novák, ID CARD 1245789528",
};

/** A domestic payment: its payee has no name, only an account. */
export const DOMESTIC_ORDER: OrderTexts = {
  amount: "1500.50",
  constantSymbol: "0308",
  creditorIban: "CZ6508000000192000145399",
  currency: "CZK",
  debtorIban: "CZ3299000000002000000018",
  instructionIdentification: "TPP-2026-000001",
  message: "Faktura 2026005",
  paymentId: "P-1",
  priority: "INST",
  variableSymbol: "2026005",
};

/** Canonical bytes of an order (RFC 8785), as resource sends them. */
export function canonicalOrder(order: object): string {
  return canonicalize(order) ?? "";
}
