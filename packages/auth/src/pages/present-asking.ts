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

/**
 * The name that an application claims, in the language of the page if it registered one; shown between quotes. `en` is nearer
 * to an English page than `en-US`, wherever it stands in the registration.
 */
export function presentApplication(
  { clientName, localizedNames }: Pick<Application, "clientName" | "localizedNames">,
  language: Language,
): string {
  const tagged = localizedNames.map(({ language: tag, name }) => ({ tag: tag.toLowerCase(), name }));
  const localized =
    tagged.find(({ tag }) => tag === language) ?? tagged.find(({ tag }) => tag.startsWith(`${language}-`));
  return withoutQuotes(displayText(localized?.name ?? clientName));
}
