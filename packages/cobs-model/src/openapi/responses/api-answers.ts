/** Answers that all resources of accounts and payments share (COBS 1.2.10). */
import { COME_BACK, EVERY_ANSWER } from "../headers.ts";
import type { Reference, Response } from "../openapi-document.ts";
import { responseOf } from "../references.ts";
import { type ApiError, apiErrors } from "./error-answers.ts";

const CHALLENGED = {
  ...EVERY_ANSWER,
  "WWW-Authenticate": { $ref: "#/components/headers/BearerChallenge" },
};

/** Text of every 403 answer. */
const FORBIDDEN = "You are identified, but not allowed to do this.";

/** Faults that any call may have, whatever it asks for. */
export const MALFORMED_CALL: ApiError = {
  code: "PARAMETER_INVALID",
  when: "a header that may come only once came twice, or the path is malformed",
  scope: "User-Involved",
  message: "the header User-Involved was sent more than once",
};

/** A TPP that tries out tokens, or has lost track of the valid ones, must wait, and delays nobody else. */
export const UNUSABLE_TOKENS: ApiError = {
  code: "NARR",
  when: "too many of your access tokens were not valid; `parameters` give the time when another one is accepted. Tokens that were valid a moment ago still work",
  parameters: { CONTINUES_AT: "2024-05-02T06:00:00.100Z" },
  message:
    "Too many of the access tokens that you sent were not valid. Tokens that were valid a moment ago still work.",
};

/** A TPP that gets a new token for each call costs auth a question each time. */
export const NEW_TOKENS: ApiError = {
  code: "NARR",
  when: "you sent too many different access tokens in a short time; `parameters` give the time when another one is accepted. Tokens that you used a moment ago still work",
  parameters: { CONTINUES_AT: "2024-05-02T06:00:00.020Z" },
  message:
    "You sent too many different access tokens in a short time. Use each one until it expires. Tokens that you used a moment ago still work.",
};

/** A TPP that sends very many calls at once must leave connections and turns to others. */
export const TOO_MANY_AT_ONCE: ApiError = {
  code: "NARR",
  when: "too many of your calls are in progress at the same time, whatever they ask for; `parameters` give the time when to try again",
  parameters: { CONTINUES_AT: "2024-05-02T06:00:01.000Z" },
  message: "too many of your calls are in progress at the same time; wait for answers before you send more",
};

/** The certificate is missing, or not accepted. */
export const WRONG_CERTIFICATE: ApiError = {
  code: "UNAUTHORISED",
  when: "no certificate was presented, or it is not accepted; `parameters` say why",
  parameters: { CERTIFICATE: "certificate_absent" },
  message: "Present your qualified website authentication certificate (QWAC) in the TLS handshake.",
};

/** The token is missing where one is needed. */
export const NO_TOKEN: ApiError = {
  code: "UNAUTHORISED",
  when: "no token was sent",
  message: "Send an access token in the header Authorization: Bearer.",
};

/** There is a token, but it is not valid here. */
export const WRONG_TOKEN: ApiError = {
  code: "UNAUTHORISED",
  when: "the token is unknown, has ended (for example with its consent), or belongs to another certificate or server",
  message:
    "The access token is not valid for this call: it may have ended, or belong to another certificate or server. Get a new one with the certificate of this call.",
};

/**
 * The token is active, but its consent no longer covers the call. Auth prevents this, because it ends whole consents, with
 * their tokens.
 */
export const LOST_CONSENT = {
  when: "the token has not ended, but its consent no longer covers this; this cannot happen today, because a consent ends as a whole, with its tokens (401)",
  message: "The consent of the access token no longer covers this. Ask for a new authorization.",
};

/** The same error on resources for which the standard has no separate code. */
export const WRONG_CONSENT: ApiError = { code: "UNAUTHORISED", ...LOST_CONSENT };

/** The rights that a call lacks: the role of its TPP, or the scope of its token. */
const rightsOf = (role: string, scope: string): readonly ApiError[] => [
  {
    code: "FORBIDDEN",
    when: "the certificate lacks the role of the resource",
    message: `This resource needs a certificate with the role ${role}.`,
  },
  {
    code: "FORBIDDEN",
    when: "the token lacks the scope of the resource",
    message: `This resource needs an access token with the scope ${scope}.`,
  },
];

/** The certificate lacks the role of those who initiate payments, or the token the scope. */
export const NO_PAYMENT_RIGHT = rightsOf("PSP_PI", "pisp");

/** Describes 401 for any of these reasons. */
export function unauthorised(description: string, ...errors: readonly ApiError[]): Response {
  return apiErrors(description, errors, CHALLENGED);
}

/** Describes 403 for more reasons than the role and the scope, so that not every answer has a challenge. */
export function forbidden(...errors: readonly ApiError[]): Response {
  return apiErrors(FORBIDDEN, errors, {
    ...EVERY_ANSWER,
    "WWW-Authenticate": { $ref: "#/components/headers/OptionalBearerChallenge" },
  });
}

/** Table: answers that resources share, by name. */
export const API_ANSWERS: Readonly<Record<string, Response>> = {
  ApiTooLarge: apiErrors("The body is too large.", [
    {
      code: "NARR",
      when: "the body has more than 65,536 bytes",
      message: "the body is larger than 65536 bytes",
    },
  ]),
  ApiUnauthorised: unauthorised(
    "The certificate or the token is missing or not valid. The answer says why a token is not valid only if its consent no longer covers this.",
    WRONG_CERTIFICATE,
    NO_TOKEN,
    WRONG_TOKEN,
    WRONG_CONSENT,
  ),
  ApiForbidden: apiErrors(FORBIDDEN, rightsOf("PSP_AI", "aisp"), CHALLENGED),
  ApiForbiddenToPay: apiErrors(FORBIDDEN, NO_PAYMENT_RIGHT, CHALLENGED),
  ApiMediaType: apiErrors("Only JSON is supported.", [
    {
      code: "UNSUPPORTED_MEDIA_TYPE",
      when: "`Accept` excludes `application/json`, the body has another media type, or it is compressed with something other than gzip, deflate or br",
      scope: "Accept",
      message: "answers are only available as application/json",
    },
  ]),
  ApiMisdirected: apiErrors("The header `Host` names another host.", [
    {
      code: "NARR",
      when: "the host is not served here",
      scope: "Host",
      message: "this host is not served here: use https://api.bank.example",
    },
  ]),
  ApiNotOffered: apiErrors("The bank does not offer this resource (COBS PDF 1.2.10).", [
    {
      code: "NOT_IMPLEMENTED",
      when: "always, once the caller is admitted",
      message: "this resource is not offered by this bank",
    },
  ]),
  ApiFailed: apiErrors("The bank failed.", [
    {
      code: "NARR",
      when: "an unexpected error occurred; quote the request id to the bank",
      message: "the call failed; its request id is 3f0b7e7e-6a4b-4b9f-9d0e-5c6f6f1a2b3c",
    },
  ]),
  ApiUnavailable: apiErrors(
    "The bank cannot answer at the moment. Nothing was decided; try again.",
    [
      {
        code: "NARR",
        when: "a part of the bank does not answer",
        message: "the bank cannot answer at the moment; try again later",
      },
    ],
    COME_BACK,
  ),
  ApiTooMuch: apiErrors(
    "You have reached a limit.",
    [UNUSABLE_TOKENS, NEW_TOKENS, TOO_MANY_AT_ONCE],
    COME_BACK,
  ),
  ApiTooOften: apiErrors(
    "You have reached a limit.",
    [
      {
        code: "NARR",
        when: "the PSU is not involved, and the accesses allowed in 24 hours are used up (RTS on SCA Article 36(5)(b)); `parameters` give the time of the next one. All pages of an access that has begun are still served",
        parameters: { CONTINUES_AT: "2024-05-03T06:00:00.000Z" },
        message:
          "the accesses to this that are allowed without the PSU in 24 hours are used up (RTS Article 36(5)(b)); if the PSU is involved, send User-Involved: true",
      },
      UNUSABLE_TOKENS,
      NEW_TOKENS,
      TOO_MANY_AT_ONCE,
    ],
    COME_BACK,
  ),
};

/** Answers that every resource can give, by status. */
export const EVERY_API_ANSWER: Readonly<Record<string, Reference>> = {
  401: responseOf("ApiUnauthorised"),
  403: responseOf("ApiForbidden"),
  415: responseOf("ApiMediaType"),
  421: responseOf("ApiMisdirected"),
  429: responseOf("ApiTooMuch"),
  500: responseOf("ApiFailed"),
  503: responseOf("ApiUnavailable"),
};
