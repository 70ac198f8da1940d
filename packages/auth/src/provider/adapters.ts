/**
 * Maps the seven methods that the provider calls for each of its models to methods of our own stores. Clients are
 * applications and grants are consents: neither is stored twice. The provider's record id is a bearer secret for codes,
 * tokens, sessions and interactions, so the stores keep only its hash.
 */
import type { AdapterFactory, AdapterPayload } from "oidc-provider";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { TokenStore } from "../tokens/token-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import type { AskingApplications } from "./asking-applications.ts";
import { Carried } from "./carried.ts";
import { type ClientAdapterParts, createClientAdapter } from "./client-adapter.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";
import { createEphemeralAdapter, type EphemeralAdapterParts } from "./ephemeral-adapter.ts";
import { createGrantAdapter } from "./grant-adapter.ts";
import { createPushedRequestAdapter, type PushedRequestParts } from "./pushed-request-adapter.ts";
import { createReplayAdapter } from "./replay-adapter.ts";
import { createTokenAdapter, type Redemption } from "./token-adapter.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";
import type { UsedMarks } from "./used-marks.ts";

/** What the adapters need. */
export interface AdapterParts extends ClientAdapterParts, EphemeralAdapterParts, PushedRequestParts {
  readonly askingApplications: AskingApplications;
  readonly consents: ConsentStore;
  readonly tokens: TokenStore<AdapterPayload>;
  readonly usedMarks: UsedMarks;
  /** The resource server that every grant is for. */
  readonly resourceServer: string;
  readonly readAct: ReadAct;
  readonly consentsOfCalls: ConsentsOfCalls;
}

/** Gives each model of the provider its adapter; a model of a disabled feature gets one that refuses. */
export function createAdapters(parts: AdapterParts): AdapterFactory {
  const redemptions = new Carried<Redemption>();
  return (model) => {
    switch (model) {
      case "Client":
        return createClientAdapter(parts);
      case "Grant":
        return createGrantAdapter(parts);
      case "AuthorizationCode":
      case "AccessToken":
      case "RefreshToken":
        return createTokenAdapter(model, { ...parts, redemptions });
      case "Session":
      case "Interaction":
        return createEphemeralAdapter(model, parts);
      case "PushedAuthorizationRequest":
        return createPushedRequestAdapter(parts);
      case "ReplayDetection":
        return createReplayAdapter(parts.usedMarks);
      default:
        return UNUSED_ADAPTER;
    }
  };
}
