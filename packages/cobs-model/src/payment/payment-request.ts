import { isObject } from "../is-object.ts";
import type { FinancialInstitution, PostalAddress } from "../transaction.ts";
import type { ChargeBearer, InstructionPriority } from "./payment-order.ts";

/** `other` of IDENT in a payment, which has only one. */
export type OtherDocument = {
  readonly identification?: string;
  readonly schemeName?: { readonly proprietary: string };
  readonly issuer?: string;
};

/** IDENT in a payment (COBS 4.13). */
export type IdentificationDocument =
  | { readonly organisationIdentification: { readonly bicOrBei?: string; readonly other?: OtherDocument } }
  | { readonly privateIdentification: { readonly other?: OtherDocument } };

/** A party on the wire of a payment. */
export type PartyDocument = {
  readonly name?: string;
  readonly postalAddress?: PostalAddress;
  readonly identification?: IdentificationDocument;
};

/** An account on the wire of a payment. */
export type PaymentAccountDocument = {
  readonly identification: { readonly iban?: string; readonly other?: { readonly identification: string } };
  readonly currency?: string;
};

/** The elements of a payment that a request has and an answer repeats (COBS 3.2.4.1), after reading. */
export type PaymentElements = {
  readonly paymentIdentification: {
    readonly instructionIdentification: string;
    readonly endToEndIdentification?: string;
  };
  readonly requestedExecutionDate?: string;
  readonly chargeBearer?: ChargeBearer;
  readonly ultimateDebtor?: PartyDocument;
  readonly debtorAccount: PaymentAccountDocument;
  readonly creditorAgent?: { readonly financialInstitutionIdentification: FinancialInstitution };
  readonly creditor?: PartyDocument;
  readonly creditorAccount: PaymentAccountDocument;
  readonly ultimateCreditor?: PartyDocument;
  readonly remittanceInformation?: {
    readonly unstructured?: string;
    readonly structured?: {
      readonly creditorReferenceInformation?: { readonly reference?: readonly string[] };
    };
  };
};

/** A request of `POST /my/payments` that fits the table of elements. */
export type PaymentRequest = PaymentElements & {
  readonly paymentTypeInformation?: { readonly instructionPriority?: InstructionPriority };
  readonly amount: { readonly instructedAmount: { readonly value: unknown; readonly currency: string } };
  readonly initiatingParty?: { readonly name?: string; readonly postalAddress?: string };
};

/** Split paths, of the few that the code names. */
const namesOfPaths = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  const known = namesOfPaths.get(path);
  if (known !== undefined) return known;
  const names = path.split(".");
  namesOfPaths.set(path, names);
  return names;
}

/** Finds the element of a value at a dotted path, which never comes from a caller; undefined if there is none. */
export function findAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of namesOf(path)) found = isObject(found) ? found[name] : undefined;
  return found;
}
