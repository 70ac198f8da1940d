import type { FormFault } from "../pages/page-view.ts";
import type { CodeStanding } from "../pages/signing-view.ts";

/** What a PSU has sent that does not approve an order. */
export type FailedApproval = "code_missing" | "code_wrong" | "passkey_wrong" | "passkey_late";

/** No code can be sent any more, which is said beside the passkey. */
export const NO_CODE_LEFT: FormFault = { key: "fault_code_none", field: "passkey" };

/** The code could not be sent. */
export const UNDELIVERED: FormFault = { key: "fault_code_undelivered", field: "code" };

/** No further code can be sent, but the last one is still good. */
export const LAST_CODE = {
  used_up: { key: "fault_codes_used_up", field: "code" },
  hour_used_up: { key: "fault_codes_of_hour_used_up", field: "code" },
} as const satisfies Readonly<Record<string, FormFault>>;

const CODE_WRONG: FormFault = { key: "fault_bound_code_wrong", field: "code" };
const PASSKEY_WRONG_ALONE: FormFault = { key: "fault_passkey_wrong_alone", field: "passkey" };
const PASSKEY_LATE: FormFault = { key: "fault_passkey_late", field: "passkey" };

/** Table: what the page says of what was sent, by whether there is a code to enter. */
const FAULTS: Readonly<Record<CodeStanding, Readonly<Record<FailedApproval, FormFault>>>> = {
  sent: {
    code_missing: { key: "fault_bound_code_missing", field: "code" },
    code_wrong: CODE_WRONG,
    passkey_wrong: { key: "fault_passkey_wrong", field: "passkey" },
    passkey_late: PASSKEY_LATE,
  },
  none: {
    code_missing: { key: "fault_bound_code_none", field: "code" },
    code_wrong: CODE_WRONG,
    passkey_wrong: PASSKEY_WRONG_ALONE,
    passkey_late: PASSKEY_LATE,
  },
  none_left: {
    code_missing: NO_CODE_LEFT,
    code_wrong: NO_CODE_LEFT,
    passkey_wrong: PASSKEY_WRONG_ALONE,
    passkey_late: PASSKEY_LATE,
  },
};

const OF_SENDING: Readonly<Record<CodeStanding, readonly FormFault[]>> = {
  sent: Object.values(LAST_CODE),
  none: [UNDELIVERED],
  none_left: [NO_CODE_LEFT],
};

/** The fault of what was sent, on a page that says where the code stands. */
export function faultAt(standing: CodeStanding, failed: FailedApproval): FormFault {
  return FAULTS[standing][failed];
}

/** All faults that the page of an order can show where the code stands so; each of them once. */
export function faultsAt(standing: CodeStanding): readonly FormFault[] {
  return [...new Set([...Object.values(FAULTS[standing]), ...OF_SENDING[standing]])];
}
