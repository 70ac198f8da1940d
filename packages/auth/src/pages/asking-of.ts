import type { Asking } from "./page-view.ts";

/** Who asks, as the pages name them: nothing else of the TPP and its application goes there. */
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
 * The host of a return address, for a PSU to read. Empty for an application on their device: what its address says
 * (RFC 8252 7) belongs to nobody.
 */
export function redirectHostOf(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? host : "";
}
