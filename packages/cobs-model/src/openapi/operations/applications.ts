import type { DescribedOperation } from "../described-operation.ts";
import {
  APPLICATION_EXAMPLE,
  APPLICATION_LIST_EXAMPLE,
  CREATED_EXAMPLES,
  NAMED_REPLACEMENT_EXAMPLES,
  REGISTRATION_EXAMPLES,
  RENEWED_KEY_EXAMPLE,
  RENEWED_SECRET_EXAMPLE,
  single,
  UPDATED_EXAMPLE,
} from "../examples/applications.ts";
import { EVERY_ANSWER, TAGGED } from "../headers.ts";
import type { Parameter, Reference, RequestBody, Response } from "../openapi-document.ts";
import { parameterOf, responseOf, schemaOf } from "../references.ts";
import { EVERY_AUTH_ANSWER } from "../responses/auth-answers.ts";
import { type OAuthErrorCase, oauthErrors } from "../responses/error-answers.ts";
import { BY_CERTIFICATE } from "../security.ts";
import { CALL_HEADERS } from "./call-headers.ts";

const ALL = "/cobs/2.0/applications";
const ONE = `${ALL}/{id}`;

const malformed = (description: string): OAuthErrorCase => ({
  error: "invalid_request",
  when: "the path, a header or the body is malformed, or the body describes an application that is not allowed",
  description,
});
const CONTENT: readonly OAuthErrorCase[] = [
  {
    error: "invalid_redirect_uri",
    when: "there is no redirect URI, or one is not allowed",
    description:
      "redirect_uris[0] is not a redirect URI allowed for a web application: it must be https, without user information, fragment or *, of at most 2047 characters of RFC 3986, its host in canonical form; a query must be UTF-8 without the parameters code, state, iss, scope, error, error_description, error_uri",
  },
  {
    error: "invalid_scope",
    when: "a scope is unknown, or `pisp` at a bank without payments",
    description: "scopes[0] must be one of aisp, pisp",
  },
];

type Responses = Readonly<Record<string, Response | Reference>>;

const BAD_CALL: Responses = {
  400: oauthErrors("The call is malformed.", [malformed("the path has an escape that does not decode")]),
};
const refusingContent = (missing: string): Responses => ({
  400: oauthErrors("The registration is not acceptable. All its faults are reported.", [
    malformed(`${missing} is missing`),
    ...CONTENT,
  ]),
  403: oauthErrors("The certificate lacks the role for a scope.", [
    {
      error: "insufficient_scope",
      when: "the roles of the certificate do not cover the scopes",
      description:
        "the roles in the certificate do not cover the scopes (aisp needs PSP_AI, pisp needs PSP_PI)",
    },
  ]),
  413: responseOf("AuthTooLarge"),
  415: responseOf("AuthMediaType"),
});
const WITH_CONTENT = refusingContent("client_name");
const OWN: Responses = { 401: responseOf("AuthCertificateOrApplication") };
const ANY: Responses = { 401: responseOf("AuthCertificate") };
const COUNTED: Responses = { 429: responseOf("AuthTooOften") };
const STATED: Responses = { 412: responseOf("AuthOutdated") };

const registration = (schema: string, examples: typeof REGISTRATION_EXAMPLES): RequestBody => ({
  description:
    "The whole registration. A replacement removes what it leaves out, with the exceptions in `replaceApplication`.",
  required: true,
  content: {
    "application/json": { schema: schemaOf(schema), examples },
  },
});
const REGISTRATION_BODY = registration("ApplicationRegistration", REGISTRATION_EXAMPLES);

const told = (
  description: string,
  schema: string,
  { headers, examples }: Pick<Response, "headers"> & { examples: ReturnType<typeof single> },
): Response => ({
  description,
  headers: headers ?? EVERY_ANSWER,
  content: { "application/json": { schema: schemaOf(schema), examples } },
});

type Written = Pick<
  DescribedOperation,
  "method" | "path" | "operationId" | "summary" | "description" | "responses"
> & { readonly parameters?: readonly (Parameter | Reference)[]; readonly requestBody?: RequestBody };

function operation({ parameters = [], responses, ...written }: Written): DescribedOperation {
  return {
    ...written,
    host: "auth",
    tags: ["Applications"],
    security: BY_CERTIFICATE,
    parameters: [...parameters, ...CALL_HEADERS],
    responses: { ...responses, ...EVERY_AUTH_ANSWER },
  };
}

/** Preconditions on the state of the application to be changed. */
const PRECONDITIONS = [parameterOf("If-Match"), parameterOf("If-None-Match")];

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "The answer is 304 if the application still has this `ETag`; `*` matches any (RFC 9110 13.1.2).",
  schema: { type: "string" },
  example: '"c0077d53-c717-4f2c-9083-1be18bdd41f1"',
};

const REPLACED = told("The application after its replacement.", "UpdatedApplication", {
  headers: TAGGED,
  examples: single("replaced", UPDATED_EXAMPLE),
});

/** Operations on applications (COBS PDF 1.4.1). */
export const APPLICATION_OPERATIONS: readonly DescribedOperation[] = [
  operation({
    method: "post",
    path: ALL,
    operationId: "registerApplication",
    summary: "Register an application",
    description:
      "COBS PDF 1.4.1.1. The application belongs to the TPP of the certificate. In profile `cobs` it gets a secret, which is shown only now.",
    requestBody: REGISTRATION_BODY,
    responses: {
      201: told("The application is registered.", "CreatedApplication", {
        headers: { ...TAGGED, Location: { $ref: "#/components/headers/ApplicationLocation" } },
        examples: CREATED_EXAMPLES,
      }),
      ...WITH_CONTENT,
      ...ANY,
      ...COUNTED,
    },
  }),
  operation({
    method: "get",
    path: ALL,
    operationId: "listApplications",
    summary: "Your applications",
    description:
      "Returns all applications of the calling TPP, whichever of its certificates registered them.",
    responses: {
      200: told("Your applications, or an empty list if there are none.", "ApplicationList", {
        examples: single("one", APPLICATION_LIST_EXAMPLE),
      }),
      ...ANY,
      ...COUNTED,
    },
  }),
  operation({
    method: "put",
    path: ALL,
    operationId: "replaceNamedApplication",
    summary: "Replace an application that the body names",
    description:
      "Does the same as `PUT` with the id in the path; here `client_id` in the body names the application (A-26).",
    parameters: PRECONDITIONS,
    requestBody: registration("NamedApplicationRegistration", NAMED_REPLACEMENT_EXAMPLES),
    responses: { 200: REPLACED, ...refusingContent("client_id"), ...OWN, ...STATED, ...COUNTED },
  }),
  operation({
    method: "get",
    path: ONE,
    operationId: "readApplication",
    summary: "An application",
    description: "COBS PDF 1.4.1.2. The secret is not shown again (A-27).",
    parameters: [parameterOf("applicationId"), parameterOf("If-Match"), IF_NONE_MATCH],
    responses: {
      200: told("The application.", "Application", {
        headers: TAGGED,
        examples: single("with a secret", APPLICATION_EXAMPLE),
      }),
      304: { description: "The application still has the `ETag` in `If-None-Match`.", headers: TAGGED },
      ...BAD_CALL,
      ...OWN,
      ...STATED,
    },
  }),
  operation({
    method: "put",
    path: ONE,
    operationId: "replaceApplication",
    summary: "Replace an application",
    description:
      "COBS PDF 1.4.1.3. Removes what you leave out, except `scopes`. In profile `fapi2`, it also keeps `token_endpoint_auth_method`, and with it the keys if you send none. Removing a scope ends the consents that have it.",
    parameters: [parameterOf("applicationId"), ...PRECONDITIONS],
    requestBody: REGISTRATION_BODY,
    responses: { 200: REPLACED, ...WITH_CONTENT, ...OWN, ...STATED, ...COUNTED },
  }),
  operation({
    method: "delete",
    path: ONE,
    operationId: "deleteApplication",
    summary: "Delete an application",
    description:
      "COBS PDF 1.4.1.4. Answered with 204 (A-28). The consents and tokens of the application end.",
    parameters: [parameterOf("applicationId"), ...PRECONDITIONS],
    responses: {
      204: { description: "The application is deleted.", headers: EVERY_ANSWER },
      ...BAD_CALL,
      ...OWN,
      ...STATED,
      ...COUNTED,
    },
  }),
  operation({
    method: "post",
    path: `${ONE}/renewSecret`,
    operationId: "renewSecret",
    summary: "Renew the secret",
    description:
      "COBS PDF 1.4.1.5. The old secret stops working at once, or after an overlap that the bank allows.",
    parameters: [parameterOf("applicationId"), ...PRECONDITIONS],
    responses: {
      200: told("The new secret, shown only now.", "RenewedSecret", {
        headers: TAGGED,
        examples: single("new", RENEWED_SECRET_EXAMPLE),
      }),
      400: oauthErrors("There is no secret to renew, or the call is malformed.", [
        {
          error: "invalid_request",
          when: "the application has profile `fapi2`, which has no secret, or the bank no longer accepts any other profile",
          description: "an application of profile fapi2 has no secret to renew",
        },
        malformed("the path has an escape that does not decode"),
      ]),
      ...OWN,
      ...STATED,
      ...COUNTED,
    },
  }),
  operation({
    method: "post",
    path: `${ONE}/renewKey`,
    operationId: "renewKey",
    summary: "Renew the API key",
    description: "COBS PDF 1.4.1.6. This bank has no API keys (A-29).",
    parameters: [parameterOf("applicationId")],
    responses: {
      200: told("There is no API key.", "RenewedKey", {
        examples: single("no API key", RENEWED_KEY_EXAMPLE),
      }),
      ...BAD_CALL,
      ...OWN,
      ...COUNTED,
    },
  }),
];
