import type { RawAnswer } from "../../support/raw-https.ts";
import type { ErrorStage } from "./error-stage.ts";

/** One call that must be refused. */
export type Ask = (stage: ErrorStage) => Promise<RawAnswer>;

/**
 * Form of a refusal: an OAuth error as JSON (RFC 6749 5.2), a page for a person, or a redirect to the application with the
 * error in its query (RFC 6749 4.1.2.1).
 */
export type Refusal =
  | { readonly as: "json"; readonly status: number; readonly error: string }
  | { readonly as: "page"; readonly status: number }
  | { readonly as: "redirect"; readonly error: string };

/** A cause, its answer, and one or several calls that have it. */
export interface ErrorRow {
  readonly cause: string;
  readonly refusal: Refusal;
  readonly asks: readonly Ask[];
  /** Whether the answer must carry `WWW-Authenticate: Basic` (RFC 6749 5.2). */
  readonly challenged: boolean;
}

/** Errors of one endpoint, or of several that answer alike. */
export interface EndpointErrors {
  readonly endpoint: string;
  readonly rows: readonly ErrorRow[];
}

/** An OAuth error as JSON. */
export const json = (status: number, error: string): Refusal => ({ as: "json", status, error });

/** A page for a person, who is not sent back. */
export const page = (status: number): Refusal => ({ as: "page", status });

/** A redirect of the PSU to the application, with the error. */
export const redirect = (error: string): Refusal => ({ as: "redirect", error });

/** Makes a row of the table. */
export const row = (cause: string, refusal: Refusal, ...asks: readonly Ask[]): ErrorRow => ({
  cause,
  refusal,
  asks,
  challenged: false,
});

/** Makes a row whose answer carries a challenge. */
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

/** Describes a refusal in words. */
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

/** A row as in the package's ERRORS.md. */
export function presentRow(row: ErrorRow): string {
  const header = headerOf(row);
  const cells = [row.cause, presentRefusal(row.refusal), header === "" ? "" : `\`${header}\``];
  return `| ${cells.join(" | ")} |`.replace(/ +/g, " ");
}
