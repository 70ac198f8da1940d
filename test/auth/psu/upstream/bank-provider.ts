import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { type KeyPairFiles, listen } from "@cobs/service-edge";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { type Configuration, errors, type Interaction, Provider } from "oidc-provider";
import { send } from "../../../support/raw-https.ts";
import { FORM_BODY } from "../../test-application.ts";

export const CLIENT_ID = "open-banking";
export const CLIENT_SECRET = "a client secret of the bank's own, long enough";
/** The value with which the bank's provider reports strong authentication. */
export const STRONG = "urn:bank.example:sca";
const WEAK = "urn:bank.example:password";

/** The person who signs in at the provider. */
export interface AtBank {
  readonly psu: string;
  readonly name: string;
}

/** What the PSU does at the provider. */
export type DoneAtBank = AtBank | "gives up";

/** A bank's OpenID provider, at which the test acts as the PSU. */
export interface BankProvider {
  readonly issuer: string;
  /**
   * Goes through the provider's pages from the URL to which auth sent the browser; returns the URL to which it sends the
   * browser back.
   */
  signIn(location: string, psu: DoneAtBank): Promise<URL>;
  /** Number of requests to an endpoint. */
  count(path: string): number;
  /** While true, no connection gets an answer. */
  away: boolean;
  close(): Promise<void>;
}

/** The page of the provider, on which nobody types anything. */
const PAGE = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>The bank</title>
  <form method="post"><input type="hidden" name="psu" value="bank-0042"><input type="hidden" name="name" value="Jana Nováková">
  <button>Sign in at the bank</button></form><form method="post"><button>Give up at the bank</button></form></html>`;

async function readDone(request: IncomingMessage): Promise<AtBank | undefined> {
  const fields = new URLSearchParams(await text(request));
  const [psu, name] = [fields.get("psu"), fields.get("name")];
  return psu === null || name === null ? undefined : { psu, name };
}

function resultOf(psu: AtBank | undefined) {
  if (psu !== undefined) return { login: { accountId: psu.psu, acr: STRONG } };
  return { error: "access_denied", error_description: "the PSU gave up" };
}

/** How the client of auth is registered. */
export interface Registration {
  readonly redirectUri: string;
  /** Host of the provider; by default `localhost`. */
  readonly host?: string;
  /** Requires `private_key_jwt` instead of a secret, with the algorithm that the key names. */
  readonly key?: JWK & { readonly alg: "ES256" | "PS256" | "RS256" };
  /** Accepts the secret in the form alone (RFC 6749 2.3.1), not in the header. */
  readonly secretIn?: "form";
}

function clientOf({ redirectUri, key, secretIn }: Registration) {
  const shared = {
    client_id: CLIENT_ID,
    redirect_uris: [redirectUri],
    id_token_signed_response_alg: "ES256" as const,
  };
  const inForm = secretIn && { token_endpoint_auth_method: "client_secret_post" as const };
  if (key === undefined) return { ...shared, client_secret: CLIENT_SECRET, ...inForm };
  const authentication = {
    token_endpoint_auth_method: "private_key_jwt" as const,
    token_endpoint_auth_signing_alg: key.alg,
  };
  return { ...shared, ...authentication, jwks: { keys: [{ ...key, use: "sig" }] } };
}

async function configurationOf(registration: Registration, names: ReadonlyMap<string, string>) {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "bank-1" };
  return {
    clients: [clientOf(registration)],
    ...(registration.secretIn && { clientAuthMethods: ["client_secret_post" as const] }),
    jwks: { keys: [key] },
    acrValues: [STRONG, WEAK],
    claims: { openid: ["sub"], profile: ["name"] },
    cookies: { keys: ["a key of the bank's cookies"] },
    features: { claimsParameter: { enabled: true }, devInteractions: { enabled: false } },
    pkce: { required: () => true },
    enabledJWA: { clientAuthSigningAlgValues: [registration.key?.alg ?? "ES256"] },
    // Stricter than RFC 7523, as FAPI 2.0 is: the audience of an assertion is the provider, not one of its endpoints.
    assertJwtClientAuthClaimsAndHeader: async ({ oidc }, { aud }) => {
      if (aud !== oidc.issuer) throw new errors.InvalidClientAuth("aud is not the issuer");
    },
    interactions: { url: (_ctx: unknown, { uid }: Interaction) => `/psu/${uid}` },
    findAccount: async (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: names.get(id) ?? "" }),
    }),
    // The bank does not ask its own PSU to consent to its own service.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile");
      grant.addOIDCClaims(["acr", "auth_time", "name"]);
      await grant.save();
      return grant;
    },
  } satisfies Configuration;
}

/** Starts a provider over TLS on a random port. */
export async function startBankProvider(
  keyPair: KeyPairFiles,
  caFile: string,
  registration: Registration,
): Promise<BankProvider> {
  const names = new Map<string, string>();
  const asked: string[] = [];
  const ca = readFileSync(caFile);
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const tls = { cert: readFileSync(keyPair.certificateFile), key: readFileSync(keyPair.keyFile) };
  const server = createServer(tls, (request, response) => {
    asked.push((request.url ?? "").split("?")[0] ?? "");
    if (running.away) request.destroy();
    else handle(request, response);
  });
  const listener = await listen(server, { name: "bank provider", host: "127.0.0.1", port: 0 });
  const issuer = `https://${registration.host ?? "localhost"}:${listener.port}`;
  const provider = new Provider(issuer, await configurationOf(registration, names));
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith("/psu/")) return void callback(request, response);
    if (request.method === "GET") return void response.setHeader("content-type", "text/html").end(PAGE);
    void readDone(request).then((psu) => {
      if (psu !== undefined) names.set(psu.psu, psu.name);
      return provider.interactionFinished(request, response, resultOf(psu));
    });
  };

  async function signIn(location: string, psu: DoneAtBank): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = new URL(location);
    for (let hops = 0; hops < 10 && next.origin === issuer; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const path = `${next.pathname}${next.search}`;
      const headers = { host: next.host, cookie, ...FORM_BODY };
      const isPage = next.pathname.startsWith("/psu/");
      const options = { port: listener.port, path, ca, headers, method: isPage ? "POST" : "GET" };
      const answer = await send(
        options,
        isPage && psu !== "gives up" ? `${new URLSearchParams({ ...psu })}` : "",
      );
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      if (typeof answer.headers.location !== "string")
        throw new Error(`${path}: ${answer.status} ${answer.body}`);
      next = new URL(answer.headers.location, next);
    }
    return next;
  }

  const running: BankProvider = {
    issuer,
    signIn,
    count: (path) => asked.filter((each) => each === path).length,
    away: false,
    close: () => listener.close(0),
  };
  return running;
}
