/** Descriptions of error answers: each with its codes, in words, and an example of every one. */
import type { CobsErrorCode, FaultParameters } from "../../refusal.ts";
import { EVERY_ANSWER } from "../headers.ts";
import type { Example, Response } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";

/** An error of a resource: its code, when it occurs, and its message. */
export type ApiError = {
  readonly code: CobsErrorCode;
  readonly when: string;
  readonly message: string;
  readonly scope?: string;
  readonly parameters?: FaultParameters;
};

/** An error of the enrolment or of OAuth: its code, when it occurs, and its message. */
export type OAuthErrorCase = {
  readonly error: string;
  readonly when: string;
  readonly description: string;
};

type Headers = NonNullable<Response["headers"]>;

/** Describes an answer with the error payload of COBS, with one or more of these codes (COBS PDF 1.2.10.1). */
export function apiErrors(
  description: string,
  errors: readonly ApiError[],
  headers: Headers = EVERY_ANSWER,
): Response {
  return {
    description: `${description}\n\n${errors.map(({ code, when }) => `- \`${code}\`: ${when}`).join("\n")}`,
    headers,
    content: {
      "application/json": {
        schema: schemaOf("Errors"),
        examples: numbered(errors, exampleOfApi),
      },
    },
    "x-error-codes": [...new Set(errors.map(({ code }) => code))],
  };
}

/** Describes an answer with the flat error of the enrolment, with one of these codes (COBS PDF 1.4.7). */
export function oauthErrors(
  description: string,
  errors: readonly OAuthErrorCase[],
  headers: Headers = EVERY_ANSWER,
): Response {
  return {
    description: `${description}\n\n${errors.map(({ error, when }) => `- \`${error}\`: ${when}`).join("\n")}`,
    headers,
    content: {
      "application/json": {
        schema: schemaOf("OAuthError"),
        examples: numbered(errors, exampleOfOAuth),
      },
    },
    "x-error-codes": [...new Set(errors.map(({ error }) => error))],
  };
}

function exampleOfApi({ code, when, scope, parameters, message }: ApiError): Example {
  const error = { error: code, scope: scope ?? null, parameters: parameters ?? null, message };
  return { summary: when, value: { errors: [error] } };
}

function exampleOfOAuth({ error, when, description }: OAuthErrorCase): Example {
  return { summary: when, value: { error, error_description: description } };
}

function numbered<Case>(
  cases: readonly Case[],
  exampleOf: (each: Case) => Example,
): Readonly<Record<string, Example>> {
  return Object.fromEntries(cases.map((each, place) => [`case${place + 1}`, exampleOf(each)]));
}
