/**
 * Mutated certificates from a seed. A third is mutated in any octet, so that most break; two thirds are mutated in the
 * statements or the subject and then signed, so that the whole verifier reads them.
 */
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  attribute,
  authority,
  authorityPlan,
  bmpString,
  issue,
  keyOf,
  nameOf,
  oids,
  printableString,
  qwacExtensions,
  qwacPlan,
  tppSubject,
} from "./certificate-builder.ts";
import { type Mutation, mutate } from "./mutation.ts";

/** A whole number from 0 up to a bound, exclusive. */
export type Random = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The authority that issues the signed certificates. */
export const issuing = issue(authorityPlan("Issuing CA"));

const without = (oid: string) => tppSubject().filter((each) => each.oid !== oid);
const subjects = [
  tppSubject(),
  tppSubject("PSDCZ-CNB-2858394-9", "Žlutý kůň & synové, a.s."),
  [...without(oids.organisation), attribute(oids.organisation, bmpString("Žlutý kůň a.s."))],
  [...without(oids.identifier), attribute(oids.identifier, printableString("PSDCZ-CNB-00012345"))],
];
const statements = (
  [["PSP_AI"], ["PSP_PI", "PSP_AI", "PSP_IC"], ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"]] as const
).map((roles) => Buffer.from(encodeQcStatements("web", { roles: [...roles], authority })));
const whole = [
  ...subjects.map((subject) => issue(qwacPlan({ subject }), issuing).der),
  issue(qwacPlan({ key: keyOf("rsa-2048") }), issuing).der,
];
const kinds: readonly Mutation["kind"][] = [
  "set",
  "set",
  "flip",
  "flip",
  "flip",
  "insert",
  "remove",
  "repeat",
];

/** A certificate, and whether its issuer signed it in this form. */
export type FuzzInput = { readonly der: Buffer; readonly isSigned: boolean };

/** The next mutated certificate. */
export function nextInput(random: Random): FuzzInput {
  switch (random(3)) {
    case 0:
      return { der: mutated(pick(whole, random), random), isSigned: false };
    case 1: {
      const extensions = qwacExtensions(mutated(pick(statements, random), random));
      return { der: issue(qwacPlan({ extensions }), issuing).der, isSigned: true };
    }
    default: {
      const encodedSubject = mutated(Buffer.from(nameOf(pick(subjects, random))), random);
      return { der: issue({ ...qwacPlan(), encodedSubject }, issuing).der, isSigned: true };
    }
  }
}

function mutated(bytes: Buffer, random: Random): Buffer {
  let octets = bytes;
  for (let left = 1 + random(2); left > 0; left--)
    octets = mutate(octets, { kind: pick(kinds, random), place: random(10_000), octet: random(256) });
  return octets;
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new TypeError("nothing to pick from");
  return value;
}
