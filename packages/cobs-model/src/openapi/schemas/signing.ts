import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { passingObject } from "./payment-elements.ts";
import { closedObject, maxText } from "./texts.ts";

const SIGN_ID = maxText(
  35,
  "Id of the authorization: `signId` in later calls.",
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
    "`OPEN` waiting for the PSU; `DONE` signed; `REJECT` the PSU or the bank declined; `CLOSE` ended without a signature (A-47). Never `NONE`, because every payment needs an authorization.",
};
const OUTCOME: Schema = {
  type: "string",
  enum: ["OPEN", "DONE"],
  description:
    "`OPEN` waiting for the PSU; `DONE` signed. An authorization that ended otherwise is refused here with `AUTH_LIMIT_EXCEEDED`; `GET` shows how it ended.",
};

/** Schemas of the authorization of a payment (COBS 3.2.8 to 3.2.11). */
export const SIGNING_SCHEMAS: Readonly<Record<string, Schema>> = {
  SignInfo: closedObject(
    { state: STATE, signId: SIGN_ID },
    { description: "The current authorization of the payment." },
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
    { description: "An authorization, and the ways in which it can continue (COBS 3.2.8, 3.2.9)." },
  ),
  SigningStep: passingObject(
    {
      authorizationType: { ...METHOD, description: "One of `scenarios`." },
      redirectUrl: {
        type: "string",
        maxLength: 2047,
        description:
          "Where the PSU's browser returns to: an address that the application has registered, to which you may add a query (A-51). The default is the first registered address. Its query is returned with `paymentId` and `signId` added, which replace any that it had. `GET` shows how the authorization ended.",
        examples: ["https://tpp.example/payment-done"],
      },
    },
    { optional: ["redirectUrl"], description: "The method to begin (COBS 3.2.10)." },
  ),
  SigningMethod: passingObject(
    { authorizationType: { ...METHOD, description: "One of `scenarios`." } },
    { description: "The method to finish (COBS 3.2.11)." },
  ),
  SigningStart: closedObject(
    {
      authorizationType: METHOD,
      href: closedObject(
        {
          url: {
            type: "string",
            format: "uri",
            description: "Address to which you send the PSU's browser, with GET.",
          },
          id: SIGN_ID,
        },
        { description: "The page of the bank on which the PSU approves the payment." },
      ),
      method: { type: "string", const: "GET" },
      signInfo: schemaOf("SignInfo"),
    },
    {
      description:
        "An authorization that has begun (COBS 3.2.10). In rare cases the bank finds during this call that the PSU has already signed it: then its state is `DONE`, and the page tells the PSU so.",
    },
  ),
  SigningOutcome: closedObject(
    {
      state: OUTCOME,
      pollInterval: {
        type: "integer",
        minimum: 1,
        description: "While it is open: milliseconds to wait before you ask again (A-48).",
        examples: [2000],
      },
    },
    { optional: ["pollInterval"], description: "The progress of an authorization (COBS 3.2.11)." },
  ),
};
