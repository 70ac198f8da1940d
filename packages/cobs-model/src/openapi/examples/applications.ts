import type { Example, Json } from "../openapi-document.ts";

const REGISTERED = {
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/callback", "https://tpp.example/payment-done"],
  scopes: ["aisp", "pisp"],
};
const CLIENT_ID = "Vq3mT1sXo0b9LwEr5cYzAg";
const SECRET = "n3vXo1u8TqkLh0cYJr5dWm2eZb7sPf4gAi6xVtKyQwU";

const COBS_APPLICATION = {
  client_id: CLIENT_ID,
  client_secret_expires_at: 0,
  ...REGISTERED,
  security_profile: "cobs",
};
const FAPI2_REGISTRATION = { ...REGISTERED, token_endpoint_auth_method: "tls_client_auth" };

/** Makes a single example of an answer or a body. */
export const single = (summary: string, value: Json): Readonly<Record<string, Example>> => ({
  usual: { summary, value },
});

/** Bodies of a registration. */
export const REGISTRATION_EXAMPLES: Readonly<Record<string, Example>> = {
  ...single("with a secret", REGISTERED),
  fapi2: { summary: "with its certificate, in profile fapi2", value: FAPI2_REGISTRATION },
};

/** Bodies of a replacement whose path names no application. */
export const NAMED_REPLACEMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  ...single("with a secret", { client_id: CLIENT_ID, ...REGISTERED }),
  fapi2: {
    summary: "with its certificate, in profile fapi2",
    value: { client_id: CLIENT_ID, ...FAPI2_REGISTRATION },
  },
};

/** Answers to a registration. */
export const CREATED_EXAMPLES: Readonly<Record<string, Example>> = {
  ...single("with its secret", { ...COBS_APPLICATION, api_key: "NOT_PROVIDED", client_secret: SECRET }),
  fapi2: {
    summary: "in profile fapi2, without a secret",
    value: {
      client_id: CLIENT_ID,
      ...FAPI2_REGISTRATION,
      security_profile: "fapi2",
      api_key: "NOT_PROVIDED",
    },
  },
};

/** An application as read, as after its replacement, and in the list of a TPP. */
export const APPLICATION_EXAMPLE: Json = { ...COBS_APPLICATION, api_key: "NOT_PROVIDED" };
export const UPDATED_EXAMPLE: Json = COBS_APPLICATION;
export const APPLICATION_LIST_EXAMPLE: Json = [APPLICATION_EXAMPLE];
export const RENEWED_SECRET_EXAMPLE: Json = {
  client_id: CLIENT_ID,
  client_secret: SECRET,
  client_secret_expires_at: 0,
};
export const RENEWED_KEY_EXAMPLE: Json = { client_id: CLIENT_ID, api_key: "NOT_PROVIDED" };
