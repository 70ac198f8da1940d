import type { FormFault } from "../pages/page-view.ts";
import type { SignInField } from "../psu/psu-login.ts";

const MISSING: Readonly<Record<SignInField, FormFault>> = {
  username: { key: "fault_username_missing", field: "username" },
  password: { key: "fault_password_missing", field: "password" },
  one_time_code: { key: "fault_code_missing", field: "one_time_code" },
};

/** The fault for a field in which nothing was typed. */
export function missingFault(field: SignInField): FormFault {
  return MISSING[field];
}

/** The one fault for anything wrong with what was typed (RTS Article 4(3)(a)). */
export const REFUSED: FormFault = { key: "fault_sign_in_refused", field: "username", isOfForm: true };

/** The fault for a wrong code of an app that is being set up: everything else was already right. */
export const CODE_WRONG: FormFault = { key: "fault_code_wrong", field: "one_time_code" };

/** The one fault for a wrong answer by a passkey alone. */
export const PASSKEY_REFUSED: FormFault = { key: "fault_passkey_refused", field: "passkey", isOfForm: true };

/** The fault for a passkey's answer to a question that was over. */
export const PASSKEY_LATE: FormFault = { key: "fault_passkey_late", field: "passkey", isOfForm: true };

/** All faults that the pages of a sign-in can show. */
export const SIGN_IN_FAULTS: readonly FormFault[] = [
  ...Object.values(MISSING),
  REFUSED,
  CODE_WRONG,
  PASSKEY_REFUSED,
  PASSKEY_LATE,
];
