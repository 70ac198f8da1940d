import type { Asking } from "./page-view.ts";

/** The TPP that asks, as the pages name it, without anything else of the TPP and its application. */
export function askingOf({ tpp, application, redirectHost }: Asking): Asking {
  const { organisationIdentifier, organisationName, authority } = tpp;
  const { clientName, localizedNames } = application;
  return {
    tpp: { organisationIdentifier, organisationName, authority },
    application: { clientName, localizedNames },
    redirectHost,
  };
}

/**
 * The host of a return address, for a PSU to read. Empty for an application on their device, whose address names no owner (RFC
 * 8252 7).
 */
export function redirectHostOf(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? host : "";
}
