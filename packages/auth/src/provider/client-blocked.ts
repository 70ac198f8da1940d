import { errors } from "oidc-provider";
import { tppRefusals } from "../tpp/tpp-refusal.ts";
import { AuthorizationRefusal } from "./authorization-refusal.ts";

/**
 * The TPP of an application is on the stop list: neither the client nor any of its addresses is accepted
 * (RFC 6749 5.2). The answer is the same whether the TPP was blocked before or after `admit-client.ts` passed.
 */
export class ClientBlocked extends errors.InvalidClient {
  constructor(owner: string) {
    super(`tpp_blocked: ${tppRefusals.tpp_blocked}`, `the TPP ${owner} is blocked`);
    this.status = 401;
    this.statusCode = 401;
    this.allow_redirect = false;
  }
}

/**
 * The same refusal as a page for the PSU's browser, because the payer has to be told (PSD2 Article 68(5)). It never
 * redirects to the application, whose addresses may be controlled by the attackers for whom its TPP was blocked
 * (RFC 6749 4.1.2.1, 10.15).
 */
export function refusalOfBlocked({ error_detail: detail }: ClientBlocked): AuthorizationRefusal {
  return new AuthorizationRefusal("tpp_blocked", 403, detail ?? "the TPP of the application is blocked");
}
