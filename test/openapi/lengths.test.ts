import { readBalanceCheck, readPaymentOrder, readSigningStep } from "@cobs/cobs-model";
import type { Schema } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { faultsBySchema } from "./check-answer.ts";
import { lookUp, operationOf } from "./interface-document.ts";

const NOW = new Date("2024-05-02T08:00:00.000Z");
const ADDRESS = { streetName: "a", buildingNumber: "1", postCode: "1", townName: "a" };
const LINES = { addressLine: ["a"] };
const SYSTEM = { clearingSystemIdentification: { proprietary: "a" }, memberIdentification: "1" };

/** What is sent to an operation: its examples, with a body of every text beside them. */
interface Sent {
  readonly schema: string;
  readonly bodies: readonly unknown[];
  /** What is wrong with a body as it is read. */
  readonly faultsOf: (body: unknown) => readonly unknown[];
}

function examplesOf(operationId: string): Readonly<Record<string, unknown>> {
  const { examples = {} } = operationOf(operationId).operation.requestBody?.content["application/json"] ?? {};
  return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}

const { sepa, outsideEea, ...orders } = examplesOf("enterPayment");
const { card: shown, ...questions } = examplesOf("checkBalanceOfPayer");
const card = Object(shown);
const PARTY = { ...Object(sepa).ultimateDebtor, postalAddress: ADDRESS };
const WHOLE_SEPA = {
  ...Object(sepa),
  chargeBearer: "SLEV",
  ultimateDebtor: PARTY,
  ultimateCreditor: { ...PARTY, postalAddress: LINES },
};
const BANK = { name: "a", postalAddress: ADDRESS, other: { identification: "1" } };
const WHOLE_FOREIGN = {
  ...Object(outsideEea),
  creditor: { name: "a", postalAddress: LINES },
  creditorAgent: {
    financialInstitutionIdentification: { ...BANK, clearingSystemMemberIdentification: SYSTEM },
  },
};

/** Table: what is read of bodies, and by which schema. */
const SENT: readonly Sent[] = [
  {
    schema: "PaymentOrder",
    bodies: [...Object.values(orders), WHOLE_SEPA, WHOLE_FOREIGN],
    faultsOf: (body) => readPaymentOrder(body, SANDBOX_TERMS, NOW).faults,
  },
  {
    schema: "BalanceCheckQuestion",
    bodies: [...Object.values(questions), { ...card, merchant: { ...card.merchant, type: "MERC" } }],
    faultsOf: (body) => readBalanceCheck(body).faults,
  },
  {
    schema: "SigningStep",
    bodies: Object.values(examplesOf("chooseSigningMethod")),
    faultsOf: (body) => readSigningStep(body).faults,
  },
];

type Path = readonly (string | number)[];
type Place = { readonly path: Path; readonly schema: Schema };

/** Each text and list of a body that its schema sets an end to, or a choice of values. */
function placesIn(given: Schema, value: unknown, path: Path = []): readonly Place[] {
  const found = given.$ref === undefined ? given : lookUp(given.$ref);
  const schema: Schema = Object(found);
  if (typeof value === "string") {
    const text = schema.else ?? schema;
    return text.maxLength !== undefined || text.enum !== undefined ? [{ path, schema: text }] : [];
  }
  const here = schema.maxItems === undefined ? [] : [{ path, schema }];
  const inside = Object.entries(Object(value)).flatMap(([name, member]) => {
    const below = Array.isArray(value) ? schema.items : schema.properties?.[name];
    return below === undefined ? [] : placesIn(below, member, [...path, name]);
  });
  return [...here, ...inside];
}

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], body);
}

function changedAt(value: unknown, [name, ...rest]: Path, changed: unknown): unknown {
  if (name === undefined) return changed;
  const inside = changedAt(Object(value)[name], rest, changed);
  return Array.isArray(value) ? value.with(Number(name), inside) : { ...Object(value), [name]: inside };
}

/** The longest value that a schema takes, and one that is longer. */
function endsOf(
  { schema, path }: Place,
  body: unknown,
): readonly (readonly [value: unknown, fits: boolean])[] {
  const value = valueAt(body, path);
  const { maxLength, maxItems } = schema;
  if (maxItems !== undefined && Array.isArray(value) && !path.includes("reference"))
    return [
      [Array(maxItems).fill(value[0]), true],
      [Array(maxItems + 1).fill(value[0]), false],
    ];
  if (maxLength === undefined || /\[A-Z\]|VS\|/.test(schema.pattern ?? "") || path.includes("maskedPan"))
    return [];
  return [
    ["a".repeat(maxLength), true],
    ["a".repeat(maxLength + 1), false],
  ];
}

describe("the lengths and choices in the description", () => {
  for (const { schema, bodies, faultsOf } of SENT) {
    const tried = bodies.flatMap((body) =>
      placesIn(Object(lookUp(`#/components/schemas/${schema}`)), body).map((place) => ({ body, place })),
    );

    it(`agree with the parser of ${schema}: each text and list is accepted up to its limit, not beyond (COBS 4)`, () => {
      const refused = new Map<string, boolean>();
      for (const { body, place } of tried)
        for (const [value, fits] of endsOf(place, body)) {
          const name = place.path.join(".");
          const changed = changedAt(body, place.path, value);
          expect(faultsBySchema(`#/components/schemas/${schema}`, changed).length === 0, name).to.equal(fits);
          const faults = faultsOf(changed);
          if (fits) expect(faults, `${name} ${JSON.stringify(value)}`).to.deep.equal([]);
          // What the type of a payment does not use is passed over.
          else refused.set(name, refused.get(name) === true || faults.length > 0);
        }
      expect(refused.size).to.be.greaterThan(0);
      expect([...refused].filter(([, isRefused]) => !isRefused)).to.deep.equal([]);
    });

    it(`agree with the parser of ${schema}: each value of a choice is accepted in some body (COBS 4)`, () => {
      const taken = new Map<string, boolean>();
      for (const { body, place } of tried)
        for (const value of place.schema.enum ?? []) {
          const name = `${place.path.join(".")} ${value}`;
          const isTaken = faultsOf(changedAt(body, place.path, value)).length === 0;
          taken.set(name, taken.get(name) === true || isTaken);
        }
      expect([...taken].filter(([, isTaken]) => !isTaken)).to.deep.equal([]);
    });
  }
});
