import { thumbprintOf } from "@cobs/psd2-certificates";
import { Provider } from "oidc-provider";
import type { Act, Actor } from "../audit/act.ts";
import type { HandedOverRequests, ProviderCaller } from "./provider-caller.ts";

/** Returns the act of the call that the provider is serving: who does what, for the audit log. */
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
 * Makes the reader of acts for the adapters. The provider calls them without naming its caller, but knows its own
 * context, whose request came through the wall with a proven caller. The reader throws a TypeError outside a call:
 * every change has an actor.
 */
export function createActReader(requests: HandedOverRequests): ReadAct {
  return () => {
    const { ctx } = Provider;
    if (ctx === undefined) throw new TypeError("the provider changes something outside a call");
    const { caller, requestId } = requests.of(ctx.req);
    return { actor: actorOf(caller), requestId };
  };
}
