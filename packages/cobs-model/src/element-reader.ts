/**
 * Reads a value by a table of elements (`element-tree.ts`). It owns the meaning of the letters in a table and the paths of
 * faults, and finds all faults; the table says which elements exist and what form each has.
 */
import type { Choice, ElementNode } from "./element-tree.ts";
import { isObject } from "./is-object.ts";
import type { CobsErrorCode, Fault } from "./refusal.ts";

type Members = Readonly<Record<string, unknown>>;

/** The path of a value in what is read, and the faults found so far. */
export type Place = {
  readonly path: string;
  readonly faults: Fault[];
  /** Treatment of members that are not in the table, or not for this kind; `strange ignored` refuses only the latter. */
  readonly others: "refused" | "strange ignored" | "ignored";
};

const PLAIN_NAME = /^[A-Za-z]\w{0,63}$/;

/**
 * Returns the value with only the members of the table, and without nulls; with any fault the result must not be used. Adds
 * FIELD_MISSING for an absent element and FIELD_INVALID for a wrong one, unless the format has codes of its own, each by its
 * path below the place. An empty value that its format does not allow counts as absent; if other members are ignored, so does
 * a parent that is empty and may be.
 */
export function readElement(node: ElementNode, value: unknown, at: Place): unknown {
  const { most } = node.format;
  if (most === undefined) return readItem(node, value, at);
  if (Array.isArray(value) && value.length <= most)
    return value.map((item: unknown, position) => readItem(node, item, itemOf(at, position)));
  addFault("FIELD_INVALID", at, `is not an array of at most ${most} items`);
  return undefined;
}

/** Tells the compiler that what was read without faults is what its table, and the rules beside it, describe. */
export function isProven<Described>(_read: unknown, faults: readonly Fault[]): _read is Described {
  return faults.length === 0;
}

function readItem(node: ElementNode, value: unknown, at: Place): unknown {
  const { accepts, wrong, wrongOf, member, codeOf } = node.format;
  const isParent = isObject(value);
  if (!accepts(value)) {
    const place = isParent && member ? memberOf(at, member) : at;
    addFault(codeOf?.(value) ?? "FIELD_INVALID", place, wrongOf?.(value) ?? wrong);
  }
  return isParent && node.children.length > 0 ? readMembers(node, value, at) : value;
}

function readMembers(node: ElementNode, members: Members, at: Place): Members {
  if (at.others === "refused") addFaultsOfOthers(node, members, at);
  const given = findValues(node, members, at);
  for (const choice of node.choices) addFaultOfChoice(choice, given, at);
  const read: Record<string, unknown> = {};
  for (const [position, child] of node.children.entries()) {
    const value = given[position];
    if (value === undefined && child.occurrence !== "M") continue;
    if (isWanted(child, value, at)) read[child.name] = readMember(child, value, at);
    else if (child.occurrence === "M") addFaultOfMissing(child, members[child.name], at);
  }
  return read;
}

/**
 * Adds that a mandatory member is missing. Null counts as absent; a bank is told that it is null, because it would look for
 * a member that is there.
 */
function addFaultOfMissing({ name, format }: ElementNode, value: unknown, at: Place): void {
  const isNull = value === null && at.others !== "ignored";
  const what = isNull ? "must not be null for this kind of transaction" : "is missing";
  addFault(format.missing ?? "FIELD_MISSING", memberOf(at, name), what);
}

/** Reads one member. Its path is made only when there is a fault, because otherwise nobody needs it. */
function readMember(child: ElementNode, value: unknown, at: Place): unknown {
  const { most, accepts } = child.format;
  const isRight = child.children.length === 0 && most === undefined && accepts(value);
  return isRight ? value : readElement(child, value, memberOf(at, child.name));
}

function addFaultsOfOthers({ names }: ElementNode, members: Members, at: Place): void {
  for (const name of Object.keys(members))
    if (!names.has(name) && isGiven(members[name]))
      addFault("FIELD_INVALID", unknownOf(at, name), "is not an element of the standard");
}

/** Reads each of the children, in order. */
function findValues({ children }: ElementNode, members: Members, at: Place): readonly unknown[] {
  return children.map((child) => {
    const value = members[child.name];
    return isGiven(value) ? findValue(child, value, at) : undefined;
  });
}

/** Reads a member; undefined if it is absent. */
function findValue(child: ElementNode, member: unknown, at: Place): unknown {
  const value = takeValue(child, member);
  const isThere =
    at.others === "ignored" ? saysSomething(child, value) : isGiven(value) && !isNothing(child, value);
  return isThere ? value : undefined;
}

/**
 * Whether an empty value, which says that there is nothing (PDF 1.2.3), must be left out because its format does not allow it.
 */
function isNothing({ occurrence, format }: ElementNode, value: unknown): boolean {
  if (value === "") return occurrence === "-" || !format.accepts(value);
  return occurrence === "-" && Array.isArray(value) && value.length === 0;
}

function takeValue({ format: { most, reads } }: ElementNode, value: unknown): unknown {
  if (reads === undefined) return value;
  if (most === undefined || !Array.isArray(value)) return reads(value);
  const items = value.map((item: unknown) => reads(item)).filter(isGiven);
  return items.length > 0 ? items : undefined;
}

/** Whether a parent counts as present. With a mandatory member it does even when empty: that member is then missing. */
function saysSomething({ children }: ElementNode, value: unknown): boolean {
  if (!isObject(value) || children.length === 0) return isGiven(value);
  return children.some(
    (child) =>
      child.occurrence === "M" ||
      (child.occurrence !== "-" && saysSomething(child, takeValue(child, value[child.name]))),
  );
}

/**
 * Whether a member is present and used by the kind. An empty text says that there is nothing (PDF 1.2.3), which does not
 * satisfy a mandatory element.
 */
function isWanted({ name, occurrence }: ElementNode, value: unknown, at: Place): boolean {
  if (!isGiven(value) || (value === "" && occurrence === "M")) return false;
  if (occurrence === "-" && at.others !== "ignored")
    addFault("FIELD_INVALID", memberOf(at, name), "is not used by this kind of transaction");
  return occurrence !== "-";
}

function addFaultOfChoice(
  { names, positions, exactlyOne }: Choice,
  values: readonly unknown[],
  at: Place,
): void {
  const given = positions.filter((position) => isGiven(values[position])).length;
  const least = exactlyOne ? "one" : "at least one";
  if (given === 0) addFault("FIELD_MISSING", at, `must have ${least} of ${names.join(", ")}`);
  if (given > 1 && exactlyOne) addFault("FIELD_INVALID", at, `must have only one of ${names.join(", ")}`);
}

/** Null counts as absent. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Adds a fault, but only once for a value that is wrong in two ways, e.g. too many lines beside a structured address. */
function addFault(code: CobsErrorCode, { path: at, faults }: Place, wrong: string): void {
  const path = at === "" ? undefined : at;
  if (faults.some((fault) => fault.code === code && fault.path === path)) return;
  faults.push({ code, path, message: `${at} ${wrong}`.trimStart() });
}

function memberOf({ path, faults, others }: Place, name: string): Place {
  return { path: path === "" ? name : `${path}.${name}`, faults, others };
}

function itemOf({ path, faults, others }: Place, position: number): Place {
  return { path: `${path}[${position}]`, faults, others };
}

/** Place of an unknown member, whose name is not repeated. */
function unknownOf(at: Place, name: string): Place {
  return PLAIN_NAME.test(name) ? memberOf(at, name) : at;
}
