import { giveConsent, showConsent } from "./consent-step.ts";
import type { FormPurpose } from "./form-token.ts";
import { interactionPath } from "./interaction-path.ts";
import type { JourneyAnswer, JourneyParts, PostedForm, Visit } from "./journey.ts";
import { PendingAuthorizationGone } from "./pending-authorization.ts";
import { requireOwnForm } from "./require-own-form.ts";
import { showSignIn, signIn } from "./sign-in-step.ts";

/** The one place that decides what a PSU sees next, from stored state alone. */
export function showStep(parts: JourneyParts, visit: Visit): Promise<JourneyAnswer> {
  return visit.pending.step === "sign-in" ? showSignIn(parts, visit) : showConsent(parts, visit);
}

/**
 * Takes a posted form. One that belongs to a step which is over (an old tab, the back button) changes nothing and leads
 * to the present one; so does one that was posted twice (a button pressed twice), also while the first is being taken.
 */
export async function takeForm(
  parts: JourneyParts,
  visit: Visit,
  form: PostedForm & { readonly purpose: FormPurpose },
): Promise<JourneyAnswer> {
  if (form.purpose === "cancel") return cancel(parts, visit, form);
  if (form.purpose !== visit.pending.step)
    return { show: "nothing", location: interactionPath(visit.pending) };
  const before = await visit.finish.answered();
  if (before !== undefined) return { show: "nothing", location: before };
  return form.purpose === "sign-in" ? signInOnce(parts, visit, form) : consentOnce(parts, visit, form);
}

async function signInOnce(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  const answer = await signIn(parts, visit, form);
  if (answer.show === "nothing") return answer;
  // The code of the first press is used up: what counts is that it was good.
  const meanwhile = await visit.finish.answered();
  return meanwhile === undefined ? answer : { show: "nothing", location: meanwhile };
}

async function consentOnce(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  try {
    return await giveConsent(parts, visit, form);
  } catch (error) {
    const meanwhile = error instanceof PendingAuthorizationGone ? await visit.finish.answered() : undefined;
    if (meanwhile === undefined) throw error;
    return { show: "nothing", location: meanwhile };
  }
}

/** The PSU refuses, at any step: the application gets `access_denied` (RFC 6749 4.1.2.1). Refuses as the other forms. */
async function cancel(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  requireOwnForm({ ...form, purpose: "cancel" }, visit.pending, parts.formKey);
  return { show: "nothing", location: await visit.finish.decline() };
}
