import { findMisspelt } from "./find-misspelt.ts";
import { parseChoice, parseHost, parseOrigin, parseUrl, parseWholeNumber } from "./scalar-values.ts";
import { Secret } from "./secret.ts";
import { ConfigurationRefusal, type Environment, type Variable } from "./variable.ts";
import { createVariableTexts, parseText, readContent, VariableFault } from "./variable-texts.ts";

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

/** Adds all faults but the last to the list, and throws the last as the fault of the whole. */
function readTogether<T extends object>(members: Members<T>, faults: string[]): T {
  const found: string[] = [];
  const read = readMembers(members, found);
  if (read !== undefined) return read;
  faults.push(...found.slice(0, -1));
  throw new VariableFault(found.at(-1));
}

const PORTS = [0, 65_535] as const;

function createReader(
  variables: readonly Variable[],
  environment: Environment,
  faults: string[],
): ConfigurationReader {
  const { text, optionalText, boundsOf, secretText, hasSecret } = createVariableTexts(variables, environment);
  const claimPort = createPortClaims();
  const scalar = <T>(name: string, parse: (text: string) => T) => parseText(name, text(name), parse);
  const parsed = <T>(name: string, parse: (text: string) => T) => parseText(`${name}:`, text(name), parse);
  const octets = (name: string) => parsed(name, readContent);
  const file = (name: string) => octets(name).toString("utf8");
  return {
    text,
    optionalText,
    integer: (name) => scalar(name, parseWholeNumber(boundsOf(name))),
    host: (name) => scalar(name, parseHost),
    port: (name, address = "shared") => {
      const port = scalar(name, parseWholeNumber(PORTS));
      return address === "own" ? port : claimPort(port, name);
    },
    url: (name, protocols) => scalar(name, parseUrl(protocols)),
    origin: (name) => scalar(name, parseOrigin),
    choice: (name, choices) => scalar(name, parseChoice(choices)),
    file,
    octets,
    secretFile: (name) => new Secret(file(name)),
    secret: (name) => new Secret(secretText(name)),
    optionalSecret: (name, parse) =>
      hasSecret(name) ? parseText(`${name}:`, secretText(name), parse) : undefined,
    parsed,
    together: (members) => readTogether(members, faults),
    fault: (fault) => faults.push(fault),
  };
}

/** Notes which variable has which port; each may be claimed once, except 0, which is any free port. */
function createPortClaims() {
  const claimed = new Map<number, string>();
  return (port: number, name: string): number => {
    const other = claimed.get(port);
    if (port !== 0 && other !== undefined)
      throw new VariableFault(`${name} must not be the same port as ${other}`);
    claimed.set(port, name);
    return port;
  };
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
