import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { IsoDay, RegisterFinding } from "./register-finding.ts";

/** Findings by TPP. */
export type RegisterFindings = ReadonlyMap<OrganisationIdentifier, RegisterFinding>;

/** Days that were checked, and their findings; shared by all processes. */
export interface RegisterStore {
  /**
   * Takes a day: true for exactly one of any concurrent callers. A day that was taken but not finished can be taken again after a
   * quarter of an hour, because its process ended or its file was unusable; a finished one as soon as there is a TPP that was
   * never looked up.
   */
  takeDay(day: IsoDay): Promise<boolean>;
  /** Lists the TPPs that ever showed an accepted certificate to auth and were not looked up on this day. */
  tppsToLookUp(day: IsoDay): Promise<readonly OrganisationIdentifier[]>;
  /** Lists the TPPs that had an entry when last looked up. */
  tppsWithEntry(): Promise<readonly OrganisationIdentifier[]>;
  /** Keeps the findings and finishes the day, in one transaction. */
  finishDay(day: IsoDay, findings: RegisterFindings): Promise<void>;
}
