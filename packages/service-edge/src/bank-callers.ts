import { commonNameOf } from "./tls/machine-certificate.ts";
import type { PresentedCertificate } from "./tls/presented-certificate.ts";

/** Rights that configuration can give a caller on a bank listener. */
const RIGHTS = ["introspect", "feed", "signing", "accounts", "operator"] as const;

export type BankRight = (typeof RIGHTS)[number];

/** Who may call a bank listener, and for what. */
export type BankCallers = ReadonlyMap<string, ReadonlySet<BankRight>>;

/** The caller's certificate is not named in configuration (`caller_unknown`), or lacks the right (`right_missing`). */
export class BankCallerRefusal extends Error {
  readonly code: "caller_unknown" | "right_missing";
  readonly detail: string;

  constructor(code: "caller_unknown" | "right_missing", detail: string) {
    super("this caller does not have the right to do this");
    this.name = "BankCallerRefusal";
    this.code = code;
    this.detail = detail;
  }
}

function parseRight(text: string): BankRight {
  const right = RIGHTS.find((candidate) => candidate === text.trim());
  if (right === undefined)
    throw new Error(`"${text.trim()}" is not a right; rights are ${RIGHTS.join(", ")}`);
  return right;
}

/**
 * Parses a text such as `resource=introspect,feed;jana=operator`: the common names of certificates of the private CA, each
 * once, and their rights.
 */
export function parseBankCallers(text: string): BankCallers {
  const callers = new Map<string, ReadonlySet<BankRight>>();
  for (const entry of text.split(";").filter((part) => part.trim() !== "")) {
    const [name = "", rights, ...rest] = entry.split("=").map((part) => part.trim());
    if (name === "" || rights === undefined || rest.length > 0)
      throw new Error(`${entry} must have the form name=right,right`);
    if (callers.has(name)) throw new Error(`${name} is listed twice`);
    callers.set(name, new Set(rights.split(",").map(parseRight)));
  }
  return callers;
}

/**
 * Reasons why the other service may not do its work here, each in a sentence for a person: it needs rights that no caller has,
 * as when an operator was put in place of it instead of beside it.
 */
export function doubtBankCallers(callers: BankCallers, needed: readonly BankRight[]): readonly string[] {
  const given = new Set([...callers.values()].flatMap((rights) => [...rights]));
  const missing = needed.filter((right) => !given.has(right));
  if (missing.length === 0) return [];
  return [`BANK_CALLERS: no caller has ${missing.join(", ")}, which the other service needs`];
}

/**
 * Returns the name of the caller that a bank listener's private CA certified, if the caller has the right.
 *
 * The listener has already required a certificate of the private CA. Refuses with `caller_unknown` or `right_missing`.
 */
export function requireBankCaller(
  callers: BankCallers,
  presented: PresentedCertificate | undefined,
  right: BankRight,
): string {
  const name = presented === undefined ? undefined : commonNameOf(presented);
  const rights = name === undefined ? undefined : callers.get(name);
  if (name === undefined || rights === undefined)
    throw new BankCallerRefusal("caller_unknown", `common name ${name}`);
  if (!rights.has(right)) throw new BankCallerRefusal("right_missing", `${name} lacks ${right}`);
  return name;
}
