import type { Application, Language } from "@cobs/cobs-model";
import { displayHost, displayText, withoutQuotes } from "./display-text.ts";
import type { Asking } from "./page-view.ts";
import type { Texts } from "./texts/texts.ts";

/** The texts about the TPP that asks, each fit to be shown. */
export function presentAsking(
  asking: Asking,
  { texts, language }: { readonly texts: Texts; readonly language: Language },
) {
  return {
    ...presentTpp(asking.tpp, texts),
    applicationName: presentApplication(asking.application, language),
    redirectHost: displayHost(asking.redirectHost),
  };
}

/** The texts of a company, as in its certificate; its authority by its name in our language, if it has one. */
export function presentTpp(
  { organisationName, organisationIdentifier, authority }: Asking["tpp"],
  { authorities }: Pick<Texts, "authorities">,
) {
  return {
    tppName: displayText(organisationName),
    authorityName: authorities.get(authority.id) ?? displayText(authority.name),
    authorityId: displayText(authority.id),
    organisationIdentifier: displayText(organisationIdentifier),
  };
}

/** The name that an application claims, in the language of the page if it registered one; shown between quotes. */
export function presentApplication(
  { clientName, localizedNames }: Pick<Application, "clientName" | "localizedNames">,
  language: Language,
): string {
  const localized = localizedNames.find((name) => name.language.toLowerCase().split("-")[0] === language);
  return withoutQuotes(displayText(localized?.name ?? clientName));
}
