/** An application as the command line of a TPP keeps it. */
export const KEPT_APPLICATION = {
  clientId: "one",
  clientSecret: "a-secret",
  redirectUri: "https://localhost:7443/callback",
  name: "One",
  certificate: "aisp",
};
