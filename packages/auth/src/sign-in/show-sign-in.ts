import type { FormFault } from "../pages/page-view.ts";
import type { SignInPage } from "../psu/psu-login.ts";
import { browserNameOf, findCookie } from "../psu-session/cookie.ts";
import type { Again, SignInParts, SignInResult, SignInVisit } from "./sign-in.ts";
import { CODE_WRONG, REFUSED } from "./sign-in-faults.ts";
import { findLate, presentStep, SIGN_IN_COOKIE } from "./sign-in-page.ts";
import type { SignInProgress } from "./sign-in-progress.ts";
import { createReturnState } from "./sign-in-purpose.ts";

const FIRST_TIME: Again = { username: "", faults: [] };

/** Shows the step that this browser's sign-in for this purpose has come to, or begins a new sign-in. */
export async function showSignIn(parts: SignInParts, visit: SignInVisit): Promise<SignInResult> {
  const progress = await findOwnProgress(parts, visit);
  if (progress !== undefined) return showStep(parts, visit, progress);
  await visit.admitNew?.();
  const again = { ...FIRST_TIME, late: findLate(visit) };
  return showStep(parts, visit, await beginSignIn(parts, visit), again);
}

/** Shows the page of a step, for the first time or for another try. */
export async function showStep(
  parts: SignInParts,
  visit: SignInVisit,
  progress: SignInProgress,
  again: Again = FIRST_TIME,
): Promise<SignInResult> {
  const page = await parts.login.present(progress.memory, visit.language);
  return presentStep(parts, visit, { progress, page, again });
}

/** The sign-in that this browser's cookie names, when it was begun in this browser, for this purpose and by this login. */
export async function findOwnProgress(
  { progresses, login }: SignInParts,
  { call, purpose }: SignInVisit,
): Promise<SignInProgress | undefined> {
  const of = { purpose, browser: browserNameOf(call) };
  const progress = await progresses.find(findCookie(call, SIGN_IN_COOKIE), of);
  return progress !== undefined && login.wrote(progress.memory) ? progress : undefined;
}

/** Begins a sign-in of which nothing is proven. */
export async function beginSignIn(
  parts: SignInParts,
  { call, purpose }: SignInVisit,
): Promise<SignInProgress> {
  const returnState = createReturnState(purpose);
  const memory = await parts.login.begin(returnState);
  return parts.progresses.keep({ browser: browserNameOf(call), purpose, returnState, memory });
}

/**
 * The one fault for any wrong answer to a page (RTS Article 4(3)(a)); on the enrolment page everything else was already right.
 */
export function refusedAt({ page }: SignInPage): FormFault {
  return page === "enrolment" ? CODE_WRONG : REFUSED;
}
