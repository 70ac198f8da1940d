import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { findMisspelt } from "./find-misspelt.ts";
import { Secret } from "./secret.ts";
import { ConfigurationRefusal, type Environment, findSet, type Variable } from "./variable.ts";

/** Reads variables for a service's `config.ts`; collects every fault instead of stopping at the first. */
export interface ConfigurationReader {
  text(name: string): string;
  optionalText(name: string): string | undefined;
  /** A whole number within the bounds given in the table. */
  integer(name: string): number;
  /** Address or name of a listener; whether it is this machine's shows only when the listener opens. */
  host(name: string): string;
  /**
   * Port of a listener. No two listeners may share one, except 0, which means any free port, and except a port at an address
   * of its own.
   */
  port(name: string, address?: "shared" | "own"): number;
  url(name: string, protocols: readonly string[]): URL;
  /**
   * Origin of a listener. A path would be ignored, or would move the metadata (RFC 8414 3.1); a password would be published.
   */
  origin(name: string): URL;
  choice<T extends string>(name: string, choices: readonly T[]): T;
  /** Content of a readable file, given by its absolute or relative path. */
  file(name: string): string;
  /** Content of a binary file. */
  octets(name: string): Buffer;
  secretFile(name: string): Secret;
  /** The value of the variable itself, or of the file that `<name>_FILE` names; exactly one of them, and not empty. */
  secret(name: string): Secret;
  /** A secret that may be absent, parsed; the faults of `parse` must not repeat the secret. */
  optionalSecret<T>(name: string, parse: (text: string) => T): T | undefined;
  parsed<T>(name: string, parse: (text: string) => T): T;
  /** Reads several members; a fault in one does not hide a fault in the next. */
  together<T extends object>(members: Members<T>): T;
  /** Reports a fault that concerns several variables. */
  fault(text: string): void;
}

/** One function per member of a configuration. */
export type Members<T> = { readonly [K in keyof T]: () => T[K] };

class VariableFault extends Error {}

/** Labels of RFC 1123 2.1, and `_` as in names of containers; the last label is not a number, as it is in an IP address. */
const HOST_NAME = /^(?:\w[\w-]{0,62}\.)*(?!\d+$)\w[\w-]{0,62}$/;

type Bounds = NonNullable<Variable["bounds"]>;
const PORTS: Bounds = [0, 65_535];

/** Runs every function, adds its faults to the list, and returns the whole only if there were none. */
function readMembers<T extends object>(members: Members<T>, faults: string[]): T | undefined {
  const result: Partial<T> = {};
  let whole = true;
  for (const key in members) {
    try {
      result[key] = members[key]();
    } catch (error) {
      if (!(error instanceof VariableFault)) throw error;
      faults.push(error.message);
      whole = false;
    }
  }
  // Every member of T was assigned; the compiler cannot follow that through the mapped type.
  return whole ? (result as T) : undefined;
}

function createReader(
  variables: readonly Variable[],
  environment: Environment,
  faults: string[],
): ConfigurationReader {
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  const ports = new Map<number, string>();

  function optionalText(name: string): string | undefined {
    const variable = known.get(name);
    if (variable === undefined) throw new TypeError(`${name} is not in the table of variables`);
    return findSet(environment, name) ?? variable.default;
  }

  function text(name: string): string {
    const value = optionalText(name);
    if (value === undefined) throw new VariableFault(`${name} is required: ${known.get(name)?.meaning}`);
    return value;
  }

  function within(name: string, [least, most]: Bounds): number {
    const value = text(name);
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw new VariableFault(`${name} must be a whole number from ${least} to ${most}`);
    return number;
  }

  function integer(name: string): number {
    const bounds = known.get(name)?.bounds;
    if (bounds === undefined) throw new TypeError(`${name} has no bounds in the table of variables`);
    return within(name, bounds);
  }

  function host(name: string): string {
    const value = text(name);
    if (isIP(value) === 0 && !HOST_NAME.test(value))
      throw new VariableFault(
        `${name} must be an IP address or a host name, without scheme, brackets or port`,
      );
    return value;
  }

  function port(name: string, address: "shared" | "own" = "shared"): number {
    const number = within(name, PORTS);
    if (address === "own") return number;
    const other = ports.get(number);
    if (number !== 0 && other !== undefined)
      throw new VariableFault(`${name} must not be the same port as ${other}`);
    ports.set(number, name);
    return number;
  }

  function url(name: string, protocols: readonly string[]): URL {
    const value = text(name);
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new VariableFault(`${name} must be a URL that starts with ${protocols.join(" or ")}`);
    }
    return new URL(value);
  }

  function origin(name: string): URL {
    const value = url(name, ["https:"]);
    if (value.href !== `${value.origin}/`)
      throw new VariableFault(`${name} must be https, a host and a port, and nothing else`);
    return value;
  }

  function choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = text(name);
    const found = choices.find((candidate) => candidate === value);
    if (found === undefined) throw new VariableFault(`${name} must be one of: ${choices.join(", ")}`);
    return found;
  }

  const octets = (name: string) => parseValue(name, text(name), readWhole);
  const file = (name: string) => octets(name).toString("utf8");

  function secretText(name: string): string {
    const path = findSet(environment, `${name}_FILE`);
    if (path === undefined) return text(name);
    // Nobody can tell which one is meant, and the other may be the production database.
    if (findSet(environment, name) !== undefined)
      throw new VariableFault(`${name} and ${name}_FILE are both set: remove one of them`);
    return parseValue(`${name}_FILE`, path, readWhole).toString("utf8").trim();
  }

  function secret(name: string): Secret {
    const value = secretText(name);
    if (value === "")
      throw new VariableFault(`${name}_FILE: the file ${environment[`${name}_FILE`]} is empty`);
    return new Secret(value);
  }

  function optionalSecret<T>(name: string, parse: (text: string) => T): T | undefined {
    const given = findSet(environment, `${name}_FILE`) ?? optionalText(name);
    return given === undefined ? undefined : parseValue(name, secret(name).reveal(), parse);
  }

  function parsed<T>(name: string, parse: (text: string) => T): T {
    return parseValue(name, text(name), parse);
  }

  function together<T extends object>(members: Members<T>): T {
    const found: string[] = [];
    const read = readMembers(members, found);
    if (read !== undefined) return read;
    // All but the last are added here; the last is thrown as the fault of the whole.
    faults.push(...found.slice(0, -1));
    throw new VariableFault(found.at(-1));
  }

  return {
    text,
    together,
    optionalText,
    integer,
    host,
    port,
    url,
    origin,
    choice,
    file,
    octets,
    secretFile: (name) => new Secret(file(name)),
    secret,
    optionalSecret,
    parsed,
    fault: (fault) => faults.push(fault),
  };
}

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: ": there is no such file",
  EACCES: ": this process may not read it",
  EISDIR: ": it is a folder",
};

/** Reads a file. Throws a sentence that names it. */
function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(`the file ${path} cannot be read${WHY_UNREADABLE[code] ?? ""}`);
  }
}

function parseValue<T>(name: string, value: string, parse: (text: string) => T): T {
  try {
    return parse(value);
  } catch (error) {
    throw new VariableFault(`${name}: ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}

/**
 * Turns environment strings into one frozen configuration, or refuses with every fault at once.
 *
 * `build` returns one function per member, so that a fault in one does not hide a fault in the next.
 */
export function readConfiguration<T extends object>(
  variables: readonly Variable[],
  environment: Environment,
  build: (read: ConfigurationReader) => Members<T>,
): Readonly<T> {
  const faults: string[] = [];
  const config = readMembers(build(createReader(variables, environment, faults)), faults);
  faults.push(...findMisspelt(variables, environment));
  if (config === undefined || faults.length > 0) throw new ConfigurationRefusal([...new Set(faults)]);
  return Object.freeze(config);
}

/** Presents a list of variables as the rows of a README table, in Markdown. */
export function presentVariables(variables: readonly Variable[]): string {
  const rows = variables.map(
    (variable) =>
      `| \`${variable.name}\` | ${variable.meaning} | ${presentDefault(variable)}${presentBounds(variable)}${presentDuty(variable)} | ${variable.secret ? "yes" : ""} |`,
  );
  return ["| variable | meaning | default | secret |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function presentDefault(variable: Variable): string {
  if (variable.default !== undefined) return `\`${variable.default}\``;
  return variable.optional ? "none" : "required";
}

function presentDuty({ setInProduction, unlessSet }: Variable): string {
  if (!setInProduction) return "";
  return `; production sets it${unlessSet ? `, except with \`${unlessSet.join("=")}\`` : ""}`;
}

function presentBounds({ bounds }: Variable): string {
  if (bounds === undefined) return "";
  const [least, most] = bounds.map((bound) => bound.toLocaleString("en"));
  return ` (${least} to ${most})`;
}
