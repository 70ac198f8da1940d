import { createHash } from "node:crypto";
import {
  type PaymentOrder,
  parseAccountId,
  parseAmount,
  parseApplicationId,
  parseIban,
  parsePsuId,
} from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { ConsentId } from "../../../packages/resource/src/introspection/token-introspection.ts";
import { bytesOfOrder } from "../../../packages/resource/src/payments/order-bytes.ts";
import type {
  Approval,
  PaymentStateName,
  PaymentTerms,
} from "../../../packages/resource/src/payments/payment.ts";
import {
  type ApprovalId,
  createPaymentId,
  findApprovalId,
  findSigningRequestId,
  type SigningRequestId,
} from "../../../packages/resource/src/payments/payment-ids.ts";

/** When everything happens, by default. */
export const NOW = new Date("2026-07-31T12:00:00Z");

/** A number of minutes after {@link NOW}. */
export const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

/** An act at that minute. */
export const by = (minutes = 0) => ({ now: later(minutes), requestId: "request" });

/** Minutes until a sample payment expires. */
export const LIFETIME = 30;

/** A domestic payment with every possible element. */
export const DOMESTIC: PaymentOrder = {
  type: "domestic",
  instructionIdentification: "TPP-2024-000001",
  endToEndIdentification: undefined,
  priority: "NORM",
  amount: parseAmount({ value: "1500.50", currency: "CZK" }),
  requestedExecutionDate: "2026-08-03",
  chargeBearer: undefined,
  debtorAccount: { iban: parseIban("CZ3299000000002000000018"), currency: undefined },
  creditor: undefined,
  creditorAgent: undefined,
  creditorAccount: { iban: parseIban("CZ6508000000192000145399"), currency: undefined },
  ultimateDebtor: undefined,
  ultimateCreditor: undefined,
  unstructured: "Faktura 2024005",
  references: ["VS:2024005", "KS:0308"],
  symbols: { variable: "2024005", constant: "0308" },
  initiatingParty: undefined,
};

/** The largest amount of the standard, to an account without an IBAN. */
export const ABROAD: PaymentOrder = {
  ...DOMESTIC,
  type: "outside-eea",
  amount: parseAmount({ value: "999999999999999.99", currency: "USD" }),
  chargeBearer: "DEBT",
  creditor: { name: "Sample Boat Inc.", postalAddress: { country: "US", addressLine: ["1256 Grand St"] } },
  creditorAgent: { bic: "TESTUS33", name: "Sample Commercial Bank" },
  creditorAccount: { number: "123456789" },
  references: [],
  symbols: {},
};

/** Table: progress of a state. A move leads to a greater number, or within `entered` from one attempt to the next. */
export const DISTANCE: Readonly<Record<PaymentStateName, number>> = {
  entered: 0,
  approved: 1,
  handed_over: 2,
  accepted: 3,
  completed: 4,
  rejected: 4,
  expired: 4,
  deleted: 4,
};

let made = 0;

/** New terms, with their own instruction. */
export function sampleTerms(changed: Partial<PaymentTerms> = {}): PaymentTerms {
  made += 1;
  const id = changed.id ?? createPaymentId();
  const order = changed.order ?? { ...DOMESTIC, instructionIdentification: `TPP-${made}` };
  const executionDate = changed.executionDate ?? "2026-08-03";
  const fee = changed.fee;
  return {
    id,
    organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
    applicationId: parseApplicationId("application"),
    psu: parsePsuId("psu"),
    consentId: "consent" as ConsentId,
    account: parseAccountId("account"),
    order,
    executionDate,
    fee,
    changed: false,
    ...bytesOfOrder({ id, order, executionDate, fee }),
    createdAt: NOW,
    expiresAt: later(LIFETIME),
    ...changed,
  };
}

/** A request id of auth, made from a name. */
export function requestNamed(name: string): SigningRequestId {
  const id = findSigningRequestId(name);
  if (id === undefined) throw new TypeError("not a name of a request");
  return id;
}

/** An approval's id, made from a name. */
export function approvalNamed(name: string): ApprovalId {
  const id = findApprovalId(name);
  if (id === undefined) throw new TypeError("not a name of an approval");
  return id;
}

/** An approval of these bytes under this request. */
export function approvalOf(
  digest: Buffer,
  requestId: SigningRequestId,
  changed: Partial<Approval> = {},
): Approval {
  const id = approvalNamed(`A-${requestId}`);
  return { id, requestId, digest, methods: ["password", "delivered_code"], approvedAt: NOW, ...changed };
}

/** The digest of any text. */
export const digestOf = (text: string) => createHash("sha256").update(text, "utf8").digest();
