import type { RawAnswer } from "../../support/raw-https.ts";
import type { ErrorStage } from "./error-stage.ts";

/** One call that is to be refused. */
export type Ask = (stage: ErrorStage) => Promise<RawAnswer>;

/**
 * How a refusal comes: an error of OAuth as JSON (RFC 6749 5.2), a page for a person, or a redirect to the application
 * with the error in its query (RFC 6749 4.1.2.1).
 */
export type Refusal =
  | { readonly as: "json"; readonly status: number; readonly error: string }
  | { readonly as: "page"; readonly status: number }
  | { readonly as: "redirect"; readonly error: string };

/** A cause, what it is answered with, and one call or several that have it. */
export interface ErrorRow {
  readonly cause: string;
  readonly refusal: Refusal;
  readonly asks: readonly Ask[];
  /** Whether the answer has to carry `WWW-Authenticate: Basic` (RFC 6749 5.2). */
  readonly challenged: boolean;
}

/** The errors of one endpoint, or of several that answer alike. */
export interface EndpointErrors {
  readonly endpoint: string;
  readonly rows: readonly ErrorRow[];
}

/** An error of OAuth. */
export const json = (status: number, error: string): Refusal => ({ as: "json", status, error });

/** A page for a person, who stays here. */
export const page = (status: number): Refusal => ({ as: "page", status });

/** The PSU is sent back to the application with the error. */
export const redirect = (error: string): Refusal => ({ as: "redirect", error });

/** A row of the table. */
export const row = (cause: string, refusal: Refusal, ...asks: readonly Ask[]): ErrorRow => ({
  cause,
  refusal,
  asks,
  challenged: false,
});

/** A row whose answer carries a challenge. */
export const challengedRow = (cause: string, refusal: Refusal, ...asks: readonly Ask[]): ErrorRow => ({
  ...row(cause, refusal, ...asks),
  challenged: true,
});

/** The header that says what to do about an error. */
export function headerOf({
  refusal,
  challenged,
}: ErrorRow): "Allow" | "Retry-After" | "WWW-Authenticate" | "" {
  if (challenged) return "WWW-Authenticate";
  if (refusal.as === "redirect") return "";
  if (refusal.status === 405) return "Allow";
  return refusal.status === 429 || refusal.status === 503 ? "Retry-After" : "";
}

/** A refusal in words. */
export function presentRefusal(refusal: Refusal): string {
  switch (refusal.as) {
    case "json":
      return `${refusal.status} \`${refusal.error}\``;
    case "page":
      return `${refusal.status}, a page`;
    case "redirect":
      return `303 back with \`${refusal.error}\``;
  }
}

/** A row as ERRORS.md of the package has it. */
export function presentRow(row: ErrorRow): string {
  const header = headerOf(row);
  const cells = [row.cause, presentRefusal(row.refusal), header === "" ? "" : `\`${header}\``];
  return `| ${cells.join(" | ")} |`.replace(/ +/g, " ");
}
