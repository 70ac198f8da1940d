import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { OrganisationIdentifier, Psd2Role } from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
import type { ApplicationCredentials } from "../applications/application-store.ts";
import { Carried } from "./carried.ts";

/** Who sends a request to the provider; a TPP or bank service is proven by certificate before the provider sees it. */
export type ProviderCaller =
  | {
      readonly kind: "tpp";
      readonly organisationIdentifier: OrganisationIdentifier;
      /** Roles of the certificate that this call presents, and of no other one. */
      readonly roles: readonly Psd2Role[];
      readonly certificate: X509Certificate;
    }
  | { readonly kind: "bank"; readonly name: string; readonly certificate: X509Certificate }
  | { readonly kind: "browser" };

/** What is known of a request handed to the provider. */
export interface HandedOver {
  readonly caller: ProviderCaller;
  readonly requestId: string;
  /** Adds to the call's log line. */
  readonly note: IncomingCall["note"];
  /** The application that the call was admitted with: the caller owns it, and was not blocked when the call came. */
  readonly application?: ApplicationCredentials;
  readonly acceptLanguage: string | undefined;
  /** The header `Cookie`, from which the page's language and the PSU's session are read; the provider reads its own cookies. */
  readonly cookie?: string | undefined;
}

/** Carries what is known of a request to the provider's hooks, some of which are synchronous. Each request has one entry. */
export class HandedOverRequests {
  readonly #known = new Carried<HandedOver>();

  add(request: IncomingMessage, known: HandedOver): void {
    this.#known.put(request, known);
  }

  /** Throws a TypeError for a request that did not come through the wall. */
  of(request: IncomingMessage): HandedOver {
    const known = this.#known.of(request);
    if (known === undefined) throw new TypeError("a request reached the provider without a caller");
    return known;
  }
}
