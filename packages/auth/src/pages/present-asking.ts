import type { Application, Language } from "@cobs/cobs-model";
import { displayHost, displayText, withoutQuotes } from "./display-text.ts";
import type { Asking } from "./page-view.ts";

/** The texts of who asks, each fit to be shown. */
export function presentAsking(asking: Asking, language: Language) {
  return {
    ...presentTpp(asking.tpp),
    applicationName: presentApplication(asking.application, language),
    redirectHost: displayHost(asking.redirectHost),
  };
}

/** The texts of a company, as its certificate says them. */
export function presentTpp({ organisationName, organisationIdentifier, authority }: Asking["tpp"]) {
  return {
    tppName: displayText(organisationName),
    authorityName: displayText(authority.name),
    authorityId: displayText(authority.id),
    organisationIdentifier: displayText(organisationIdentifier),
  };
}

/** The name that an application claims, in the language of the page when it registered one; it stands between quotes. */
export function presentApplication(
  { clientName, localizedNames }: Pick<Application, "clientName" | "localizedNames">,
  language: Language,
): string {
  const localized = localizedNames.find((name) => name.language.toLowerCase().split("-")[0] === language);
  return withoutQuotes(displayText(localized?.name ?? clientName));
}
