import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { closedObject } from "./texts.ts";

const ENTRY = closedObject(
  {
    error: { type: "string", pattern: "^[A-Z0-9_]+$", description: "Code for programs." },
    scope: {
      type: ["string", "null"],
      description:
        "The element of the call at fault: the path of a member, or the name of a parameter or header. It is not an OAuth scope.",
    },
    parameters: {
      type: ["object", "null"],
      additionalProperties: {
        not: { type: ["object", "null"] },
        description: "A text, a number, a boolean, or a list of texts.",
      },
      description: "Values for programs. They depend on the code.",
    },
    message: { type: ["string", "null"], description: "For your log, not for the PSU." },
  },
  { description: "One thing that is wrong with a call." },
);

/** Schemas of errors: those of the resources, and the flat one of the enrolment (COBS 1.2.10.1, 1.4.7). */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ErrorEntry: ENTRY,
  Errors: closedObject(
    {
      errors: {
        type: "array",
        minItems: 1,
        items: schemaOf("ErrorEntry"),
      },
    },
    {
      description: "All faults of a call that have the status of the answer (COBS PDF 1.2.10.1).",
    },
  ),
  OAuthError: closedObject(
    {
      error: { type: "string", pattern: "^[a-z_]+$", description: "Code for programs." },
      error_description: {
        type: "string",
        pattern: "^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]+$",
        description:
          "For your log, not for the PSU. If your certificate is refused or blocked, or you are, it begins with a code for programs and a colon, such as `certificate_expired:`.",
      },
      scope: { type: "string", description: "The scope that was refused." },
    },
    {
      description: "What is wrong with a call for applications or tokens (COBS PDF 1.4.7, RFC 6749 5.2).",
      optional: ["error_description", "scope"],
    },
  ),
};
