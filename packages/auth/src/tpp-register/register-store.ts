import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { IsoDay, RegisterFinding } from "./register-finding.ts";

/** What was found of each TPP. */
export type RegisterFindings = ReadonlyMap<OrganisationIdentifier, RegisterFinding>;

/** Which days were looked at, and what was found; the same for all processes. */
export interface RegisterStore {
  /**
   * Takes a day: true for exactly one of any number of callers at once. A day that was taken and not finished can be
   * taken again after a quarter of an hour, because its process ended or its file was not usable; one that was finished,
   * as soon as a TPP is known that was never looked up.
   */
  takeDay(day: IsoDay): Promise<boolean>;
  /** Every TPP that has ever shown an accepted certificate here, but for those that were looked up on this day. */
  tppsToLookUp(day: IsoDay): Promise<readonly OrganisationIdentifier[]>;
  /** Every TPP that had an entry when it was last looked up. */
  tppsWithEntry(): Promise<readonly OrganisationIdentifier[]>;
  /** Keeps what was found, and finishes the day, in one transaction. */
  finishDay(day: IsoDay, findings: RegisterFindings): Promise<void>;
}
