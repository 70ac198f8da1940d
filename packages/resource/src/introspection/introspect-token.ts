import {
  type Clock,
  headersOnBehalf,
  type OnBehalf,
  type PrivateAnswer,
  type PrivateClient,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";
import { errors, jwtVerify } from "jose";
import { parsePositionHeader } from "../endings/parse-endings.ts";
import { IntrospectionRefusal } from "./introspection-refusal.ts";
import { parseTokenDescription } from "./parse-token-description.ts";
import type { AskedIntrospection } from "./token-introspection.ts";
import type { VerificationKeys } from "./verification-keys.ts";

const MEDIA_TYPE = "application/token-introspection+jwt";

/** What the two servers agreed on: who signs, who asks, and which resource server the tokens are for. */
export interface IntrospectionAgreement {
  readonly issuer: string;
  readonly clientId: string;
  readonly resourceServer: string;
}

/** Says why an answer is not believed. The issuer is one that an operator may have changed in one of the services alone. */
function whyUnverified(cause: unknown, { issuer }: IntrospectionAgreement): string {
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === "iss")
    return `auth signs as ${JSON.stringify(cause.payload.iss)}, but ISSUER is ${issuer} here; it must be the same in both`;
  return cause instanceof errors.JOSEError ? `${cause.code}: ${cause.message}` : "unreadable";
}

/** Asks auth's bank listener about each token, and believes only what auth signed for this caller (RFC 9701). */
export function introspectAtAuth(
  agreement: IntrospectionAgreement,
  parts: { readonly client: PrivateClient; readonly keys: VerificationKeys; readonly clock: Clock },
): AskedIntrospection {
  async function ask(token: string, onBehalf: OnBehalf | undefined): Promise<PrivateAnswer> {
    const form = new URLSearchParams({
      token,
      token_type_hint: "access_token",
      client_id: agreement.clientId,
    });
    const headers = { accept: MEDIA_TYPE, ...headersOnBehalf(onBehalf) };
    // Introspection only describes the token and changes nothing (RFC 7662), so the call may be repeated.
    const answer = await parts.client.postForm("/oauth/introspect", form, headers, { repeatable: true });
    if (answer.status === 200) return answer;
    throw new IntrospectionRefusal("answer_status", `introspection was answered with ${answer.status}`);
  }

  async function verify(jwt: string) {
    try {
      const { payload } = await jwtVerify(jwt, parts.keys.find, {
        algorithms: ["ES256"],
        typ: "token-introspection+jwt",
        issuer: agreement.issuer,
        audience: agreement.clientId,
        requiredClaims: ["iat"],
        currentDate: parts.clock.now(),
      });
      return { claim: payload.token_introspection, answeredAt: new Date((payload.iat ?? 0) * 1000) };
    } catch (cause) {
      if (cause instanceof PrivateServiceUnavailable || cause instanceof IntrospectionRefusal) throw cause;
      throw new IntrospectionRefusal("answer_unverified", whyUnverified(cause, agreement), { cause });
    }
  }

  return {
    describe: async (token, onBehalf) => {
      const answer = await ask(token, onBehalf);
      const { claim, answeredAt } = await verify(answer.body);
      const position = parsePositionHeader(answer.header("feed-position"));
      const description = parseTokenDescription(claim, agreement.resourceServer);
      return { description, answeredAt, position };
    },
  };
}
