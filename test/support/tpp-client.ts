import type { CustomFetch } from "openid-client";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { createApplicationKey } from "../../packages/sandbox/src/tpp/application-key.ts";
import {
  type ApplicationsApi,
  openApplicationsApi,
} from "../../packages/sandbox/src/tpp/applications-api.ts";
import { authorizeAsPsu } from "../../packages/sandbox/src/tpp/authorize-as-psu.ts";
import { callbackUrl } from "../../packages/sandbox/src/tpp/callback-url.ts";
import { requireCertificate } from "../../packages/sandbox/src/tpp/command.ts";
import {
  type Fapi2Application,
  type OAuthApplication,
  type OAuthClient,
  openOAuthClient,
  type Tokens,
  type TppApplication,
} from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { openTppFetch } from "../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";

/** What a PSU is asked to consent to, and what they choose. */
export interface ConsentInput {
  /** Username. A one-time code works once: each PSU can sign in twice at once, and then once in 30 s. */
  readonly psu: string;
  readonly scope?: string;
  readonly accounts?: "all" | readonly string[];
}

/** A TPP with one of the sandbox's certificates, built on an independent OAuth client library. */
export interface TppClient {
  /** Sends any request with the certificate; does not throw for a refusal. */
  readonly fetch: CustomFetch;
  readonly applications: ApplicationsApi;
  /** Registers an application whose callback is the sandbox's. */
  register(scopes?: readonly string[]): Promise<TppApplication>;
  /** Registers the same in profile fapi2, authenticated by a key or by the certificate. */
  registerFapi2(by: "key" | "certificate"): Promise<Fapi2Application>;
  oauth(application: OAuthApplication): Promise<OAuthClient>;
  /** Returns the URL with code, `state` and `iss` that the PSU comes back to, and a function that redeems it. */
  consent(
    application: OAuthApplication,
    input: ConsentInput,
  ): Promise<{ readonly callback: URL; readonly redeem: (callback: URL) => Promise<Tokens> }>;
  /** Runs the whole flow, from sending the PSU away to the tokens. */
  authorize(application: OAuthApplication, input: ConsentInput): Promise<Tokens>;
  /** Sends `GET /cobs/2.0` with a path such as `/my/accounts?size=1`. */
  get(accessToken: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

/** Opens a TPP on a running sandbox, if need be on another client library than usual; callers close it in `after`. */
export async function openTppClient(
  sandbox: SandboxDocument,
  certificate: string,
  open: typeof openOAuthClient = openOAuthClient,
): Promise<TppClient> {
  const { fetch, close } = await openTppFetch(sandbox.ca, requireCertificate(sandbox, certificate));
  const applications = openApplicationsApi(sandbox.auth.mutualTls, fetch);
  const redirectUri = callbackUrl(sandbox.callback.port);
  const usedSteps = openUsedSteps(usedStepsFile(sandbox.directory));
  const oauth = (application: OAuthApplication) => open(sandbox.issuer, application, fetch);
  const registration = {
    applicationType: "web",
    client_name: "Application of a test",
    redirect_uris: [redirectUri],
  } as const;

  const consent: TppClient["consent"] = async (application, { psu, scope, accounts = "all" }) => {
    const { url, redeem } = await (await oauth(application)).begin(scope);
    const context = { sandbox, usedSteps, tell: () => undefined };
    const callback = await authorizeAsPsu(context, {
      url,
      redirectUri: application.redirectUri,
      username: psu,
      accounts,
    });
    return { callback, redeem };
  };
  return {
    fetch,
    applications,
    oauth,
    consent,
    close,
    register: async (scopes) => {
      const { client_id, client_secret } = await applications.register({
        ...registration,
        ...(scopes && { scopes }),
      });
      return { clientId: client_id, clientSecret: client_secret, redirectUri };
    },
    registerFapi2: async (by) => {
      const key = by === "key" ? createApplicationKey() : undefined;
      const token_endpoint_auth_method = key === undefined ? "tls_client_auth" : "private_key_jwt";
      const members = {
        ...registration,
        token_endpoint_auth_method,
        ...(key && { jwks: key.jwks }),
      } as const;
      const { client_id } = await applications.registerWithoutSecret(members);
      return { clientId: client_id, privateKey: key?.privateKey ?? null, redirectUri };
    },
    authorize: async (application, input) => {
      const { callback, redeem } = await consent(application, input);
      return redeem(callback);
    },
    get: (accessToken, path, headers = {}) =>
      fetch(`${sandbox.resourceBase}${path}`, {
        method: "GET",
        headers: {
          authorization: `Bearer ${accessToken}`,
          "content-type": "application/json",
          ...headers,
        },
        body: undefined,
        redirect: "manual",
      }),
  };
}
