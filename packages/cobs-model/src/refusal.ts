/**
 * Faults in the content of a request, in the two vocabularies of COBS: the API's (chapter 8) and the flat one of the enrolment
 * resources (PDF 1.4.7). Statuses are the rim's business, not this package's. Trap: COBS calls the fault path `scope` on the
 * wire; it has nothing to do with an OAuth scope.
 */
import type { DecimalNumber } from "./money.ts";

/** Code of an API error (COBS PDF 1.2.10.1 and the tables of 3.x). */
export type CobsErrorCode =
  /** Token or certificate missing or invalid. */
  | "UNAUTHORISED"
  /** Outside the licence, the scope or the consent. */
  | "FORBIDDEN"
  /** The page is past the end. */
  | "PAGE_NOT_FOUND"
  /** A query parameter or a header is invalid. */
  | "PARAMETER_INVALID"
  /** Account, payment or signing id unknown. */
  | "ID_NOT_FOUND"
  /** Payment unknown, or of another TPP. */
  | "TRANSACTION_MISSING"
  /** An optional resource that is not offered. */
  | "NOT_IMPLEMENTED"
  /** The payment may not be authorised with this method. */
  | "AUTH_LIMIT_EXCEEDED"
  /** A mandatory element of the body is missing. */
  | "FIELD_MISSING"
  /** An element of the body is invalid. */
  | "FIELD_INVALID"
  /** Debtor account number invalid. */
  | "AC02"
  /** Creditor account number invalid. */
  | "AC03"
  /** Account currency invalid. */
  | "AC09"
  /** Debtor account currency invalid. */
  | "AC10"
  /** Account type invalid. */
  | "AC12"
  /** Transaction forbidden: no consent. */
  | "AG01"
  /** Duplicate payment or query. */
  | "AM05"
  /** Transaction currency invalid. */
  | "AM11"
  /** Amount invalid. */
  | "AM12"
  /** Charge bearer invalid. */
  | "BE19"
  /** Date invalid. */
  | "DT01"
  /** Body not readable in its stated format. */
  | "FF01"
  /** A general reason, given in the message. */
  | "NARR"
  /** Payment priority not available. */
  | "NO_PART"
  /** Creditor BIC invalid. */
  | "RC07"
  /** Creditor clearing system member invalid. */
  | "RC10"
  /** Payee is the payer. */
  | "REC_SEND"
  /** Request id not unique. */
  | "RF01"
  /** Creditor name or address missing. */
  | "RR03"
  /** Characters outside the permitted set. */
  | "RR10"
  /** Path unknown (OAS). */
  | "NOT_FOUND"
  /** Media type not served (OAS; status in PDF 1.2.10). */
  | "UNSUPPORTED_MEDIA_TYPE"
  /** The object cannot be processed (OAS; status in PDF 1.2.10). */
  | "UNPROCESSABLE_ENTITY";

/** Values of one fault for programs, e.g. `{ DATE: "DATE_TO_OLD" }` or `{ ALLOWED_PRIORITY_TYPES: ["NORM"] }`. */
export type FaultParameters = Readonly<Record<string, DecimalNumber | string | boolean | readonly string[]>>;

/** One thing wrong with a request's content; `path` is the JSON path or the name of the parameter. */
export type Fault = {
  readonly code: CobsErrorCode;
  readonly path: string | undefined;
  readonly parameters?: FaultParameters;
  readonly message: string;
};

/** A body that is JSON but not an object (COBS 3.2.4). */
export const NO_OBJECT: Fault = { code: "FF01", path: undefined, message: "the body is not an object" };

/** Code of a fault in an application's registration (COBS PDF 1.4.1.1, RFC 7591 3.2.2), as sent: lower case. */
export type RegistrationErrorCode =
  /** A mandatory field is missing, or a field is malformed. */
  | "invalid_request"
  /** A scope is unknown. */
  | "invalid_scope"
  /** A redirect URI is not acceptable. */
  | "invalid_redirect_uri";

/** One thing wrong with a registration; `path` is the JSON path, e.g. `redirect_uris[1]`. */
export type RegistrationFault = {
  readonly code: RegistrationErrorCode;
  readonly path: string | undefined;
  readonly message: string;
};

/** Refuses the content of an API request, with every fault found. */
export class ContentRefusal extends Error {
  override readonly name = "ContentRefusal";
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.code).join(" "));
    this.faults = faults;
  }
}

/** Refuses the registration of an application, with every fault found. */
export class RegistrationRefusal extends Error {
  override readonly name = "RegistrationRefusal";
  readonly faults: readonly RegistrationFault[];
  constructor(faults: readonly RegistrationFault[]) {
    super(faults.map((fault) => fault.code).join(" "));
    this.faults = faults;
  }
}
