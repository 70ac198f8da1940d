import { Provider } from "oidc-provider";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";
import type { HandedOverRequests } from "./provider-caller.ts";
import { describeResourceServer, type ResourceServerTerms, requireScope } from "./resource-server.ts";

/** Refuses to use up the code of the call under way where no token can be issued for it. */
export type RequireIssuable = () => void;

/**
 * Makes the check. The provider marks a code as used before it looks at resource and scopes: a code that came once with the
 * wrong certificate would be good for nothing, and coming again with the right one it would end the consent of its PSU.
 * Refuses with `invalid_target` or `invalid_scope`, as the provider would afterwards.
 */
export function createIssuableCheck(parts: {
  readonly requests: HandedOverRequests;
  readonly consentsOfCalls: Pick<ConsentsOfCalls, "ofToken">;
  readonly resourceServer: ResourceServerTerms;
}): RequireIssuable {
  const { requests, consentsOfCalls, resourceServer } = parts;
  return () => {
    const { ctx } = Provider;
    const client = ctx?.oidc.client;
    if (ctx === undefined || client === undefined) throw new TypeError("a code is used outside of a call");
    const asker = { client, caller: requests.of(ctx.req).caller };
    const wanted = [ctx.oidc.params?.resource ?? resourceServer.identifier].flat().map(String);
    const described = wanted.map((indicator) => describeResourceServer(resourceServer, indicator, asker));
    const offered = described.flatMap(({ scope }) => scope.split(" "));
    const services = consentsOfCalls.ofToken()?.services ?? [];
    requireScope({ scope: services.filter((service) => offered.includes(service)).join(" ") });
  };
}
