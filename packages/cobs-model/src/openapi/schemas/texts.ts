import { SWIFT_CHARACTERS } from "../../text.ts";
import type { Schema } from "../openapi-document.ts";

/** A text with a maximum length (COBS chapter 4 MaxNText). */
export function maxText(maxLength: number, description: string, ...examples: readonly string[]): Schema {
  return { type: "string", maxLength, description, ...(examples.length > 0 && { examples }) };
}

/** A mandatory text, which may not be empty, because that says that there is nothing (PDF 1.2.3). */
export function neededText(maxLength: number, description: string, ...examples: readonly string[]): Schema {
  return { ...maxText(maxLength, description, ...examples), minLength: 1 };
}

const PART = `[${SWIFT_CHARACTERS.replace("/", "")}]+`;

/** An identification, in the permitted characters (COBS 3.2.1, A-10); may be empty. */
export function maxIdentification(
  maxLength: number,
  description: string,
  ...examples: readonly string[]
): Schema {
  return { ...maxText(maxLength, description, ...examples), pattern: `^(${PART}(/${PART})*)?$` };
}

/** A mandatory identification. */
export function neededIdentification(
  maxLength: number,
  description: string,
  ...examples: readonly string[]
): Schema {
  return { ...maxIdentification(maxLength, description, ...examples), minLength: 1 };
}

/** An object with these members and no others; all are mandatory except those named as optional. */
export function closedObject(
  properties: Readonly<Record<string, Schema>>,
  more: Pick<Schema, "description"> & { readonly optional?: readonly string[] } = {},
): Schema {
  const { optional = [], ...rest } = more;
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...rest,
  };
}

/** An object with these members and no others, none of them mandatory. */
export function openEnded(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  const optional = Object.keys(properties);
  return closedObject(properties, { optional, ...(description !== undefined && { description }) });
}

/**
 * For members of an answer that are not described. It must not be `true` or absent, because generated Go clients would refuse
 * an answer with such a member.
 */
export const FURTHER: Schema = { description: "Other members may appear." };

/** A public key (RFC 7517 section 4); its other members depend on its kind. */
export const PUBLIC_KEY: Schema = {
  type: "object",
  required: ["kty"],
  properties: { kty: { type: "string", description: "Kind of key.", examples: ["EC"] } },
  additionalProperties: FURTHER,
};

/** Makes an object of members; all are mandatory except those named as optional. */
export type ObjectMaker = typeof closedObject;

/** Two members of an object, of which one must be present. */
type TwoMembers = readonly [one: readonly [name: string, Schema], other: readonly [name: string, Schema]];

/**
 * An object with either member, or both. Not an `anyOf`: client generators make a class of each choice, and read and write
 * such a class wrongly, as with the choices of `oneOf`.
 */
export function anyMember(make: ObjectMaker, members: TwoMembers, description?: string): Schema {
  const [[one], [other]] = members;
  const more = { optional: [one, other], ...(description !== undefined && { description }) };
  return {
    ...make(Object.fromEntries(members), more),
    if: present(one),
    else: present(other),
  };
}

/** An object in which these members are present, whatever their values. */
function present(...names: readonly string[]): Schema {
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

/** An object with either member, but never both. */
export function eitherMember(make: ObjectMaker, members: TwoMembers, description?: string): Schema {
  return { ...anyMember(make, members, description), not: present(...members.map(([name]) => name)) };
}

/** Schemas of the formats of COBS chapter 4. */
export const FORMAT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Iban: {
    type: "string",
    description:
      "IBAN without spaces, with correct check digits (ISO 13616, COBS 4.9.1.1). A Czech IBAN has 24 characters.",
    pattern: "^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$",
    maxLength: 34,
    examples: ["CZ3299000000002000000018"],
  },
  Bic: {
    type: "string",
    description: "BIC of 8 or 11 characters (ISO 9362, COBS 4.10.1.1).",
    pattern: "^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$",
    examples: ["TESTCZPP"],
  },
  CurrencyCode: {
    type: "string",
    description: "Currency (ISO 4217).",
    pattern: "^[A-Z]{3}$",
    examples: ["CZK"],
  },
  CountryCode: {
    type: "string",
    description: "Country (ISO 3166 alpha-2); Kosovo is `XK`.",
    pattern: "^[A-Z]{2}$",
    examples: ["CZ"],
  },
  CreditDebitIndicator: {
    type: "string",
    description: "`DBIT` for a debit, `CRDT` in all other cases (COBS 3.1.4).",
    enum: ["CRDT", "DBIT"],
  },
  Amount: closedObject(
    {
      value: {
        type: "number",
        minimum: 0,
        description:
          "Never negative; the direction, if there is one, is in `creditDebitIndicator`. A JSON number with all its digits, at most 29 before its decimals, which may be more than a binary floating-point number can hold: read it as a decimal.",
        examples: [1250.5],
      },
      currency: { $ref: "#/components/schemas/CurrencyCode" },
    },
    { description: "An amount and its currency (COBS AMT)." },
  ),
  Day: {
    type: "string",
    format: "date",
    description: "A day, `YYYY-MM-DD` (ISODate).",
    examples: ["2024-05-02"],
  },
  Moment: {
    type: "string",
    format: "date-time",
    description: "A moment with fractional seconds and its offset (ISODateTime, COBS 3.1.5).",
    examples: ["2024-05-02T12:15:00.000+02:00"],
  },
  DayOrMoment: {
    type: "string",
    description: "A day, or a moment with its offset (COBS 3.1.5).",
    if: { $ref: "#/components/schemas/Day" },
    else: { $ref: "#/components/schemas/Moment" },
  },
};
