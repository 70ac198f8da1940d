import { parsePsuId, SCOPES, type Scope } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import type Provider from "oidc-provider";
import { errors, type InteractionResults } from "oidc-provider";
import type { RegisteredApplication } from "../applications/application.ts";
import type { AskingApplication } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { PendingAuthorization } from "../journey/pending-authorization.ts";
import { redirectHostOf } from "../pages/asking-of.ts";
import { INTERACTION_PATH } from "../pages/places.ts";
import type { SignInOfPsu } from "../psu-session/psu-session.ts";
import { isReturnAddress } from "./application-client.ts";
import type { AskingApplications } from "./asking-applications.ts";
import { isOutgrownInteraction } from "./begun-profile.ts";
import { ClientBlocked, refusalOfBlocked } from "./client-blocked.ts";
import { isRefusal } from "./require-scopes.ts";

/** The provider's record of a waiting authorization. */
export type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/** A browser's interaction, with the application that requests the authorization. */
export interface AskedInteraction {
  readonly interaction: Interaction;
  readonly asking: AskingApplication;
}

/** Finds the application of an interaction, if the PSU may still answer it. */
async function findAsking(
  provider: Provider,
  askingApplications: AskingApplications,
  interaction: Interaction,
): Promise<AskingApplication | undefined> {
  const { params } = interaction;
  const id = findApplicationId(params.client_id);
  const asking = id === undefined ? undefined : await askingApplications.find(id);
  const client = asking && (await askingApplications.clientOf(provider, asking));
  if (client === undefined || isOutgrownInteraction(interaction, client)) return undefined;
  return isReturnAddress(client, params.redirect_uri) ? asking : undefined;
}

/**
 * Finds the interaction that a browser's cookies name. Its path must be the one that the cookie was set for. Its
 * application must still exist, have the redirect URI registered, and have the profile in which the interaction began.
 * Refuses as `AuthorizationRefusal` if the TPP was blocked meanwhile; once it is released, the journey goes on.
 */
export async function findInteraction(
  provider: Provider,
  askingApplications: AskingApplications,
  { request, response }: IncomingCall["exchange"],
): Promise<AskedInteraction | undefined> {
  try {
    const interaction = await provider.interactionDetails(request, response);
    const [path] = (request.url ?? "").split("?");
    const own = `${INTERACTION_PATH}/${interaction.uid}`;
    if (path !== own && !path?.startsWith(`${own}/`)) return undefined;
    const asking = await findAsking(provider, askingApplications, interaction);
    return asking && { interaction, asking };
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    if (error instanceof ClientBlocked) throw refusalOfBlocked(error);
    throw error;
  }
}

/** Where the browser goes next if the interaction is already answered, by the PSU or because of a refused scope. */
export function answerOf({ result, returnTo }: Interaction): string | undefined {
  const isAnswered = result?.login !== undefined || result?.consent !== undefined || isRefusal(result);
  return isAnswered ? returnTo : undefined;
}

/** The name of the pushed request that an interaction began with; the provider's type lacks this member. */
export function pushedRequestOf(interaction: Interaction): string | undefined {
  const name: unknown = Reflect.get(interaction, "parJti");
  return typeof name === "string" ? name : undefined;
}

/** When the PSU of an interaction was authenticated; undefined before that. */
export function authenticatedAt(interaction: Interaction): Date | undefined {
  const seconds = interaction.lastSubmission?.login?.ts;
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** The part of a page's answer that the provider keeps. */
type Answered = Pick<InteractionResults, "login">;

/** Converts a sign-in to the form that is kept with its answer. */
export function keepSignIn({ psu, id }: SignInOfPsu): NonNullable<InteractionResults["login"]> {
  return { accountId: psu, signIn: id };
}

/** Reads the sign-in kept by {@link keepSignIn}; undefined before it, and when the record names none. */
export function signInOf(answered: Answered | undefined): SignInOfPsu | undefined {
  const login = answered?.login;
  const id = login?.signIn;
  return login && typeof id === "string" ? { psu: parsePsuId(login.accountId), id } : undefined;
}

/** The scopes that an interaction requests, as decided when it began. */
export function requestedScopes({ params }: Interaction): readonly Scope[] {
  const requested = typeof params.scope === "string" ? params.scope.split(" ") : [];
  return SCOPES.filter((scope) => requested.includes(scope));
}

/** The requested scopes that the application no longer has registered. */
export function unregisteredScopes(
  interaction: Interaction,
  { scopes }: Pick<RegisteredApplication, "scopes">,
): readonly Scope[] {
  return requestedScopes(interaction).filter((scope) => !scopes.includes(scope));
}

/** Describes an interaction to the pages; undefined when it has no return address. */
export function describeInteraction({
  interaction,
  asking: { application, tpp },
}: AskedInteraction): PendingAuthorization | undefined {
  const { params, prompt } = interaction;
  if (typeof params.redirect_uri !== "string") return undefined;
  return {
    uid: interaction.uid,
    step: prompt.name === "consent" ? "consent" : "sign-in",
    application,
    tpp,
    redirectHost: redirectHostOf(params.redirect_uri),
    scopes: requestedScopes(interaction),
    unregisteredScopes: unregisteredScopes(interaction, application),
    uiLocales: typeof params.ui_locales === "string" ? params.ui_locales : undefined,
    signIn: signInOf(interaction.lastSubmission),
    authenticatedAt: authenticatedAt(interaction),
    answeredWith: answerOf(interaction),
    waitsUntil: new Date(interaction.exp * 1000),
  };
}
