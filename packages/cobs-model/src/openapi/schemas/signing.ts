import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { passingObject } from "./payment-elements.ts";
import { closedObject, maxText } from "./texts.ts";

const SIGN_ID = maxText(
  35,
  "Id of the authorization: `signId` of the calls that follow.",
  "7c1e5a903f2b4d68a0c9e1d2b3f4a5c6",
);
const METHOD: Schema = {
  type: "string",
  const: "USERAGENT_REDIRECT",
  description: "The only method: the PSU's browser goes to a page of the bank.",
};
const STATE: Schema = {
  type: "string",
  enum: ["OPEN", "REJECT", "CLOSE", "DONE"],
  description:
    "`OPEN` waits for the PSU; `DONE` signed; `REJECT` the PSU or the bank declined; `CLOSE` ended without a signature (A-47). Never `NONE`, for every payment needs one.",
};
const OUTCOME: Schema = {
  type: "string",
  enum: ["OPEN", "DONE"],
  description:
    "`OPEN` waits for the PSU; `DONE` signed. One that ended otherwise is `AUTH_LIMIT_EXCEEDED` here, and `GET` tells how.",
};

/** Schemas of the authorization of a payment (COBS 3.2.8 to 3.2.11). */
export const SIGNING_SCHEMAS: Readonly<Record<string, Schema>> = {
  SignInfo: closedObject(
    { state: STATE, signId: SIGN_ID },
    { description: "The authorization of the payment that counts now." },
  ),
  Signing: closedObject(
    {
      scenarios: {
        type: "array",
        items: { type: "array", items: METHOD },
        description: "Alternatives, each a sequence of methods (A-49).",
      },
      signInfo: schemaOf("SignInfo"),
    },
    { description: "An authorization, and the ways in which it can go on (COBS 3.2.8, 3.2.9)." },
  ),
  SigningStep: passingObject(
    {
      authorizationType: { ...METHOD, description: "One of `scenarios`." },
      redirectUrl: {
        type: "string",
        maxLength: 2047,
        description:
          "Where the PSU's browser comes back to: an address that the application has registered, to which a query may be added (A-51). Without it, the first registered one. Its query comes back with `paymentId` and `signId`, which replace any that it had; how it ended, `GET` tells.",
        examples: ["https://tpp.example/payment-done"],
      },
    },
    { optional: ["redirectUrl"], description: "Which method is begun (COBS 3.2.10)." },
  ),
  SigningMethod: passingObject(
    { authorizationType: { ...METHOD, description: "One of `scenarios`." } },
    { description: "Which method is finished (COBS 3.2.11)." },
  ),
  SigningStart: closedObject(
    {
      authorizationType: METHOD,
      href: closedObject(
        {
          url: { type: "string", format: "uri", description: "Where the PSU's browser goes, with GET." },
          id: SIGN_ID,
        },
        { description: "The page of the bank on which the PSU approves the payment." },
      ),
      method: { type: "string", const: "GET" },
      signInfo: schemaOf("SignInfo"),
    },
    {
      description:
        "An authorization that has begun (COBS 3.2.10). In rare cases the bank finds at this call that the PSU has signed it before: then its state is `DONE`, and the page tells the PSU so.",
    },
  ),
  SigningOutcome: closedObject(
    {
      state: OUTCOME,
      pollInterval: {
        type: "integer",
        minimum: 1,
        description: "While it is open: after how many milliseconds to ask again (A-48).",
        examples: [2000],
      },
    },
    { optional: ["pollInterval"], description: "How far an authorization is (COBS 3.2.11)." },
  ),
};
