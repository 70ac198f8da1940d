import { LANGUAGES } from "../language.ts";
import type { Header } from "./openapi-document.ts";
import { headersOf } from "./references.ts";

/** Table: headers of answers, by their name on the wire, or by another if one name means two things. */
export const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-ID": {
    description:
      "The value in your call, if it has 1 to 60 letters, digits and `._:-`; otherwise a value that the bank generated (COBS OpenAPI). Quote it when you ask the bank about a call.",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,60}$" },
    example: "3f0b7e7e-6a4b-4b9f-9d0e-5c6f6f1a2b3c",
  },
  "Action-ID": {
    description: "The value in your call, if it has 1 to 60 letters, digits and `._:-` (COBS OpenAPI).",
    required: false,
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,60}$" },
    example: "paging-2024-05-02",
  },
  "Cache-Control": {
    description: "Answers must not be cached.",
    required: true,
    schema: { type: "string", const: "no-store" },
    example: "no-store",
  },
  "Content-Language": {
    description: "The language of the names and texts in the answer (COBS PDF 1.2.6).",
    required: true,
    schema: { type: "string", enum: LANGUAGES },
    example: "cs",
  },
  Vary: {
    description: "The headers of the call that the answer depends on (RFC 9110 12.5.5).",
    required: false,
    schema: { type: "string" },
    example: "Accept-Language, Accept-Encoding",
  },
  "Retry-After": {
    description: "How many seconds to wait before trying again (RFC 9110 10.2.3).",
    required: true,
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    example: "2",
  },
  ETag: {
    description:
      "Identifies this state of the application, for `If-Match` in a later change and `If-None-Match` in a later request (RFC 9110 8.8.3). It is new after every change.",
    required: true,
    schema: { type: "string", pattern: '^"[!#-~]+"$' },
    example: '"c0077d53-c717-4f2c-9083-1be18bdd41f1"',
  },
  "Set-Cookie": {
    description: "Cookies of the authorization, only for the PSU's browser.",
    required: false,
    schema: { type: "array", items: { type: "string" } },
  },
  Location: {
    description: "Where the PSU's browser goes next.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example:
      "https://tpp.example/callback?code=dJx3cQyZ1m0kq2lU9wVb7A&state=xyz&iss=https%3A%2F%2Fbank.example",
  },
  ApplicationLocation: {
    description: "Where to read, replace and delete the application (RFC 9110 10.2.2).",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/cobs/2.0/applications/Vq3mT1sXo0b9LwEr5cYzAg",
  },
  BearerChallenge: {
    description:
      "Which kind of token is needed, and what is wrong with the one that you sent. It has no `error` when the certificate or its role is at fault (RFC 6750 section 3).",
    required: true,
    schema: { type: "string", pattern: '^Bearer realm="cobs"(, error="[a-z_]+")?(, scope="[a-z]+")?$' },
    example: 'Bearer realm="cobs", error="invalid_token"',
  },
  OptionalBearerChallenge: {
    description:
      "Only when the certificate or the token is at fault: which kind of token is needed, and what is wrong with the one that you sent. It has no `error` when the certificate or its role is at fault (RFC 6750 section 3).",
    required: false,
    schema: { type: "string", pattern: '^Bearer realm="cobs"(, error="[a-z_]+")?(, scope="[a-z]+")?$' },
    example: 'Bearer realm="cobs", error="insufficient_scope", scope="pisp"',
  },
  BasicChallenge: {
    description: "Only when the call has an `Authorization` header (RFC 6749 5.2).",
    required: false,
    schema: { type: "string", pattern: "^Basic " },
    example: 'Basic realm="token"',
  },
};

/** The headers of every answer for programs. */
export const EVERY_ANSWER = headersOf("X-Request-ID", "Action-ID", "Cache-Control");
/** Headers of an answer that says when to come back. */
export const COME_BACK = { ...EVERY_ANSWER, ...headersOf("Retry-After") };
/** Headers of an answer that gives the state of an application. */
export const TAGGED = { ...EVERY_ANSWER, ...headersOf("ETag") };
