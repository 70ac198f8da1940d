import type { FormFault, SignInView } from "../pages/page-view.ts";
import type { SignInAttempt } from "../psu/psu-directory.ts";
import { findAsking } from "./find-asking.ts";
import { singleField } from "./form-fields.ts";
import { formTarget, interactionPath } from "./interaction-path.ts";
import type { JourneyAnswer, JourneyParts, PostedForm, Visit } from "./journey.ts";
import { requireOwnForm } from "./require-own-form.ts";

/** The sign-in page, empty or for a second try. */
export async function showSignIn(
  parts: JourneyParts,
  visit: Visit,
  again: Pick<SignInView, "username" | "faults"> = { username: "", faults: [] },
): Promise<JourneyAnswer> {
  const { pending, ownOrigin } = visit;
  const view: SignInView = {
    asking: await findAsking(parts, pending),
    origin: ownOrigin,
    form: formTarget(parts.formKey, pending, "sign-in"),
    cancel: formTarget(parts.formKey, pending, "cancel"),
    ...again,
  };
  return { show: "sign-in", view };
}

/**
 * Takes the sign-in form. Refuses with `form_untrusted` or `form_malformed`; throws `PsuDirectoryBusy` and
 * `PendingAuthorizationGone`. What is left empty is not an attempt and is not counted.
 */
export async function signIn(parts: JourneyParts, visit: Visit, form: PostedForm): Promise<JourneyAnswer> {
  requireOwnForm({ ...form, purpose: "sign-in" }, visit.pending, parts.formKey);
  const attempt: SignInAttempt = {
    username: singleField(form.fields, "username"),
    password: singleField(form.fields, "password"),
    oneTimeCode: singleField(form.fields, "one_time_code"),
  };
  const again = (faults: readonly FormFault[]) =>
    showSignIn(parts, visit, { username: attempt.username.slice(0, 100), faults });
  const missing = findMissing(attempt);
  if (missing.length > 0) return again(missing);
  const signedIn = await parts.directory.signIn(attempt, parts.clock.now());
  switch (signedIn.outcome) {
    case "signed-in":
      return { show: "nothing", location: await visit.finish.signIn(signedIn.psu) };
    case "refused":
      return again([{ key: "fault_sign_in_refused", field: "sign-in" }]);
    case "blocked":
      return blocked(parts, visit, signedIn.until);
  }
}

function findMissing(attempt: SignInAttempt): readonly FormFault[] {
  const faults: FormFault[] = [];
  if (attempt.username.trim() === "") faults.push({ key: "fault_username_missing", field: "username" });
  if (attempt.password === "") faults.push({ key: "fault_password_missing", field: "password" });
  if (attempt.oneTimeCode.trim() === "") faults.push({ key: "fault_code_missing", field: "one_time_code" });
  return faults;
}

function blocked(parts: JourneyParts, { pending }: Visit, until: Date): JourneyAnswer {
  const cancel = { ...formTarget(parts.formKey, pending, "cancel"), host: pending.redirectHost };
  const retryPath = interactionPath(pending);
  return {
    show: "message",
    view: { message: "sign_in_blocked", fillings: { time: until }, retryPath, cancel },
  };
}
