import { singleField } from "../forms/form-fields.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { requireOwnForm } from "../forms/require-own-form.ts";
import { takeSignInForm, takeSignInReturn } from "../sign-in/take-answer.ts";
import { showConsent, takeConsentForm } from "./consent-step.ts";
import { bindingOf, type FormPurpose, interactionPath } from "./interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "./journey.ts";
import { PendingAuthorizationGone } from "./pending-authorization.ts";
import { showSignInStep, signInVisitOf } from "./sign-in-step.ts";
import { findWayBack } from "./way-back.ts";

/** Decides what a PSU sees next, from stored state alone; nothing else decides it. */
export function showJourney(parts: JourneyParts, visit: Visit): Promise<JourneyAnswer> {
  return unlessRefused(visit, () => showPresent(parts, visit));
}

async function showPresent(parts: JourneyParts, visit: Visit): Promise<JourneyAnswer> {
  const { answeredWith } = visit.pending;
  if (answeredWith !== undefined) return { show: "nothing", location: answeredWith };
  return visit.pending.step === "sign-in" ? showSignInStep(parts, visit) : showConsent(parts, visit);
}

/**
 * Takes a posted form. A form of a step that is over (an old tab, the back button) changes nothing and leads to the present step.
 * So does a form that was posted twice (a button pressed twice), even while the first is being taken.
 */
export async function takeForm(
  parts: JourneyParts,
  visit: Visit,
  { purpose, ...form }: PostedForm & { readonly purpose: FormPurpose },
): Promise<JourneyAnswer> {
  if (purpose === "cancel") return cancel(parts, visit, form);
  if (purpose === "consent") return unlessAnswered(visit, purpose, () => consentOnce(parts, visit, form));
  return unlessAnswered(visit, purpose, () => takeSignInForm(parts, signInVisitOf(parts, visit), form));
}

/** Takes a return from a login at another site. */
export function takeReturn(
  parts: JourneyParts,
  visit: Visit,
  parameters: URLSearchParams,
): Promise<JourneyAnswer> {
  const take = () => takeSignInReturn(parts, signInVisitOf(parts, visit), parameters);
  return unlessAnswered(visit, "sign-in", take);
}

async function unlessAnswered(
  visit: Visit,
  step: Exclude<FormPurpose, "cancel">,
  take: () => Promise<JourneyAnswer>,
): Promise<JourneyAnswer> {
  const present = interactionPath(visit.pending);
  if (step !== visit.pending.step) return { show: "nothing", location: present };
  const before = visit.pending.answeredWith;
  if (before !== undefined) return { show: "nothing", location: before };
  const answer = await unlessRefused(visit, take);
  if (answer.show === "nothing" && answer.location !== present) return answer;
  // The first press has used up the code: what counts is that the code was right.
  const meanwhile = await visit.finish.answered();
  if (meanwhile === undefined) return answer;
  // An answer that leads to the present page says there why the sign-in begins again.
  return answer.show === "nothing" && meanwhile === present
    ? answer
    : { show: "nothing", location: meanwhile };
}

/**
 * Goes on unless the authorization asks for unregistered scopes, which refuses it; an answer that the PSU gave before still
 * counts.
 */
async function unlessRefused(
  { pending: { unregisteredScopes, answeredWith }, finish }: Visit,
  goOn: () => Promise<JourneyAnswer>,
): Promise<JourneyAnswer> {
  if (unregisteredScopes.length === 0) return goOn();
  return { show: "nothing", location: answeredWith ?? (await finish.refuse()) };
}

async function consentOnce(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  try {
    return await takeConsentForm(parts, visit, form);
  } catch (error) {
    const meanwhile = error instanceof PendingAuthorizationGone ? await visit.finish.answered() : undefined;
    if (meanwhile === undefined) throw error;
    return { show: "nothing", location: meanwhile };
  }
}

/**
 * Takes a refusal at any step, or the way back from a page that said why the PSU cannot go on, and tells the application (RFC
 * 6749 4.1.2.1). Refuses as the other forms do.
 */
async function cancel(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  requireOwnForm(form, parts.formKey, bindingOf(visit.pending, "cancel"));
  return {
    show: "nothing",
    location: await visit.finish.goBack(findWayBack(singleField(form.fields, "because"))),
  };
}
