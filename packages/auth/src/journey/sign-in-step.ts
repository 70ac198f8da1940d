import { askingOf } from "../pages/asking-of.ts";
import { showSignIn } from "../sign-in/show-sign-in.ts";
import type { SignInVisit } from "../sign-in/sign-in.ts";
import { formTarget } from "./interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "./journey.ts";

/** The sign-in before the consent: every authorization has its own, even if a PSU is signed in already. */
export function signInVisitOf(parts: JourneyParts, { pending, ...visit }: Visit): SignInVisit {
  const { ownOrigin, language, call, admitNew, finish } = visit;
  return {
    purpose: { kind: "authorization", uid: pending.uid },
    call,
    ownOrigin,
    language,
    asking: async () => askingOf(pending),
    cancel: { ...formTarget(parts.formKey, pending, "cancel"), host: pending.redirectHost },
    waitsUntil: pending.waitsUntil,
    admitNew,
    finish: ({ psu, signIn, authenticatedAt }) => finish.signIn({ psu, id: signIn, authenticatedAt }),
  };
}

/** Shows the page of the sign-in's present step. */
export function showSignInStep(parts: JourneyParts, visit: Visit): Promise<JourneyAnswer> {
  return showSignIn(parts, signInVisitOf(parts, visit));
}
