import { type Environment, findSet, type Variable } from "./variable.ts";

/** Least lengths of names to compare; shorter ones are too close to those of other programs. */
const SHORTEST = { withOtherLetter: 10, withoutUnderscores: 8 };

/**
 * Faults for names in an environment that differ from an unset variable by one letter, two neighbours that changed places, or
 * only in case and underscores.
 * Otherwise the intended variable would silently get its default.
 */
export function findMisspelt(variables: readonly Variable[], environment: Environment): readonly string[] {
  const known = new Set(variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])));
  const isGiven = (name: string) => findSet(environment, name) !== undefined;
  const missing = [...known].filter((name) => !isGiven(name));
  return Object.keys(environment)
    .filter((name) => !known.has(name) && isGiven(name))
    .flatMap((name) => {
      const meant = missing.find((each) => isWrittenOtherwise(each, name) || isOneSlipAway(each, name));
      return meant === undefined
        ? []
        : [`${name} is not a variable; did you mean ${meant}, which is not set?`];
    });
}

function isWrittenOtherwise(one: string, other: string): boolean {
  return plain(one).length >= SHORTEST.withoutUnderscores && plain(one) === plain(other);
}

function plain(name: string): string {
  return name.replaceAll("_", "").toUpperCase();
}

function isOneSlipAway(one: string, other: string): boolean {
  if (one.length < SHORTEST.withOtherLetter || Math.abs(one.length - other.length) > 1) return false;
  const differsAt = [...one].findIndex((letter, place) => letter !== other[place]);
  const place = differsAt === -1 ? one.length : differsAt;
  if (swapped(one, place) === other) return true;
  return [
    [place + 1, place + 1],
    [place + 1, place],
    [place, place + 1],
  ].some(([from, otherFrom]) => one.slice(from) === other.slice(otherFrom));
}

function swapped(text: string, place: number): string {
  const [first = "", second = ""] = text.slice(place, place + 2);
  return text.slice(0, place) + second + first + text.slice(place + 2);
}
