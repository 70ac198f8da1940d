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
