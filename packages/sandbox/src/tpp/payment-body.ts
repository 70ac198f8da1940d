import { randomUUID } from "node:crypto";
import { requireNumber, writeWithNumber } from "./number-as-given.ts";

/** A payment as on the command line: nothing is derived from it, and nothing is added. */
export interface PaymentOptions {
  /** IBAN of the payer. */
  readonly from: string;
  /** IBAN of the payee, or another account number. */
  readonly to: string;
  readonly amount: string;
  readonly currency: string;
  /** `instructionIdentification`; a new one by default. */
  readonly id?: string | undefined;
  readonly endToEnd?: string | undefined;
  readonly message?: string | undefined;
  readonly vs?: string | undefined;
  readonly ks?: string | undefined;
  readonly ss?: string | undefined;
  readonly priority?: string | undefined;
  readonly date?: string | undefined;
  readonly bearer?: string | undefined;
  /** The payee's name; the members below are the payee's too. */
  readonly name?: string | undefined;
  readonly address?: readonly string[] | undefined;
  readonly country?: string | undefined;
  readonly bic?: string | undefined;
}

const LIKE_AN_IBAN = /^[A-Za-z]{2}\d{2}/;

/** The body of `POST /my/payments` (COBS 3.2.4.1), as JSON. Refuses with `usage` if the amount is not a number. */
export function paymentBody(options: PaymentOptions): string {
  const { id: instructionIdentification = newReference(), endToEnd: endToEndIdentification } = options;
  const body = {
    paymentIdentification: { instructionIdentification, endToEndIdentification },
    paymentTypeInformation: whereGiven({ instructionPriority: options.priority }),
    amount: { instructedAmount: { value: requireNumber(options.amount), currency: options.currency } },
    requestedExecutionDate: options.date,
    chargeBearer: options.bearer,
    debtorAccount: { identification: { iban: options.from } },
    ...payeeOf(options),
    remittanceInformation: whereGiven({ unstructured: options.message, structured: symbolsOf(options) }),
  };
  return writeWithNumber(body);
}

/** A new reference of the TPP (COBS 3.2.4, AM05). */
export function newReference(): string {
  return randomUUID().replaceAll("-", "");
}

function payeeOf({ to, name, bic, country, address }: PaymentOptions): object {
  const postalAddress = whereGiven({ country, addressLine: address });
  return {
    creditorAgent: bic === undefined ? undefined : { financialInstitutionIdentification: { bic } },
    creditor: whereGiven({ name, postalAddress }),
    creditorAccount: {
      identification: LIKE_AN_IBAN.test(to) ? { iban: to } : { other: { identification: to } },
    },
  };
}

/** The symbols of Czech payments (COBS 4.27). */
function symbolsOf({ vs, ks, ss }: PaymentOptions): object | undefined {
  const reference = Object.entries({ VS: vs, KS: ks, SS: ss }).flatMap(([name, digits]) =>
    digits === undefined ? [] : [`${name}:${digits}`],
  );
  return reference.length === 0 ? undefined : { creditorReferenceInformation: { reference } };
}

/** The given members; undefined if there are none. */
function whereGiven(members: Readonly<Record<string, unknown>>): object | undefined {
  return Object.values(members).every((value) => value === undefined) ? undefined : members;
}
