/**
 * What every refusal of auth must look like, whatever its cause: it reveals nothing internal, and has only the headers of its
 * row.
 */
import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { ISSUER } from "../running-auth.ts";
import { REDIRECT_URI } from "../test-application.ts";
import { type ErrorRow, headerOf, type Refusal } from "./error-row.ts";

const HEADERS = ["Allow", "Retry-After", "WWW-Authenticate"] as const;
/** Matches internals: a stack trace, a path, a statement, a library. */
const INSIDE = /node_modules|\.ts:\d|\bat [A-Z]\w+\.|SELECT |INSERT |ECONN|postgres|oidc-provider|koa/i;

/** RFC 6749 4.1.2.1, 5.2: printable ASCII except the quotation mark and the backslash. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** Expects that an answer is the refusal of a row, in form and headers. */
export function expectRefusal(answer: RawAnswer, row: ErrorRow): void {
  expect(answer.headers["cache-control"]).to.equal("no-store");
  expect(answer.headers["x-content-type-options"]).to.equal("nosniff");
  expect(answer.headers["x-request-id"]).to.match(/^[0-9a-f-]{36}$/);
  for (const name of ["access-control-allow-origin", "server", "x-powered-by"])
    expect(answer.headers).not.to.have.property(name);
  expect(answer.body).not.to.match(INSIDE);
  expectKind(answer, row.refusal);
  for (const name of HEADERS) {
    const given = answer.headers[name.toLowerCase()];
    if (name !== headerOf(row)) expect(given, `${name} of ${answer.body}`).to.equal(undefined);
    else expect(given, answer.body).to.match(PATTERNS[name]);
  }
}

const PATTERNS = {
  Allow: /^[A-Z]+(, [A-Z]+)*$/,
  "Retry-After": /^[1-9][0-9]*$/,
  "WWW-Authenticate": /^Basic realm="token"$/,
} as const;

function expectKind(answer: RawAnswer, refusal: Refusal): void {
  if (refusal.as === "json") expectJson(answer, refusal);
  else if (refusal.as === "page") expectPage(answer, refusal.status);
  else expectRedirect(answer, refusal.error);
}

function expectJson(answer: RawAnswer, { status, error }: { status: number; error: string }): void {
  expect([answer.status, answer.body.match(/"error":"([^"]*)"/)?.[1]], answer.body).to.deep.equal([
    status,
    error,
  ]);
  expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
  const { error_description, ...rest } = JSON.parse(answer.body);
  expect(error_description).to.be.a("string").that.matches(DESCRIPTION);
  expect(Object.keys(rest).filter((name) => name !== "scope")).to.deep.equal(["error"]);
}

function expectPage(answer: RawAnswer, status: number): void {
  expect(answer.status, answer.body).to.equal(status);
  expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  expect(answer.headers["content-security-policy"]).to.contain("frame-ancestors 'none'");
  expect(answer.headers).not.to.have.property("location");
  expect(answer.body).not.to.match(/evil\.example|alert\(1\)|<script>/);
}

/** RFC 9207 2: error redirects carry `iss` too. */
function expectRedirect(answer: RawAnswer, error: string): void {
  expect(answer.status, answer.body).to.equal(303);
  const location = new URL(String(answer.headers.location));
  expect(location.origin + location.pathname).to.equal(REDIRECT_URI);
  const { error_description, scope: _, ...parameters } = Object.fromEntries(location.searchParams);
  expect(error_description).to.be.a("string").that.matches(DESCRIPTION);
  expect(parameters).to.deep.equal({ error, iss: ISSUER, state: "xyz" });
}
