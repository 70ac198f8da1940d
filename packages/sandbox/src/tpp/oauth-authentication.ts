import type { JsonWebKey } from "node:crypto";
import { importJWK } from "jose";
import { type ClientAuth, ClientSecretPost, PrivateKeyJwt, TlsClientAuth } from "openid-client";

/** An application of profile cobs, as its TPP knows it, with a secret. */
export interface TppApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** An application of profile fapi2: it has no secret but a key, or null if its certificate is enough (RFC 8705 2.1). */
export interface Fapi2Application {
  readonly clientId: string;
  readonly privateKey: JsonWebKey | null;
  readonly redirectUri: string;
}

/** An application of either profile. */
export type OAuthApplication = TppApplication | Fapi2Application;

/** Whether an application is of profile fapi2: it pushes its requests and has no secret. */
export function isFapi2(application: OAuthApplication): application is Fapi2Application {
  return "privateKey" in application;
}

/** How an application authenticates at the endpoints of the authorization server. */
export async function authenticationOf(application: OAuthApplication): Promise<ClientAuth> {
  if (!isFapi2(application)) return ClientSecretPost(application.clientSecret);
  const { privateKey } = application;
  if (privateKey === null) return TlsClientAuth();
  const key = await importJWK({ ...privateKey }, "ES256");
  if (key instanceof Uint8Array) throw new TypeError("the key of an application is not a key pair");
  return PrivateKeyJwt(key);
}
