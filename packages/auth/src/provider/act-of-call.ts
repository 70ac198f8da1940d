import { thumbprintOf } from "@cobs/psd2-certificates";
import { Provider } from "oidc-provider";
import type { Act, Actor } from "../audit/act.ts";
import type { HandedOverRequests, ProviderCaller } from "./provider-caller.ts";

/** In which act a store changes something, asked of the call that the provider serves at this moment. */
export type ReadAct = () => Act;

function actorOf(caller: ProviderCaller): Actor {
  switch (caller.kind) {
    case "tpp":
      return {
        kind: "tpp",
        organisationIdentifier: caller.organisationIdentifier,
        certificate: thumbprintOf(caller.certificate.raw),
      };
    case "bank":
      return { kind: "server", part: caller.name };
    case "browser":
      return { kind: "server", part: "authorization" };
  }
}

/**
 * Makes what the adapters ask: the provider calls them without a word of who calls, but knows its own context, whose request
 * came through the wall with the caller proven. Throws a TypeError outside a call: nobody's act changes anything.
 */
export function createActReader(requests: HandedOverRequests): ReadAct {
  return () => {
    const { ctx } = Provider;
    if (ctx === undefined) throw new TypeError("the provider changes something outside a call");
    const { caller, requestId } = requests.of(ctx.req);
    return { actor: actorOf(caller), requestId };
  };
}
