import type { Fault } from "@cobs/cobs-model";
import type { Answer, IncomingCall } from "@cobs/service-edge";
import type { Admission, AdmissionNeeds, PsuAdmission, PsuNeeds } from "../admission/admission.ts";
import type { CobsResource } from "./cobs-resources.ts";

/** What an admitted call asks for, as far as it could be read, and all that is wrong with its query and headers. */
export interface Asked<Query> {
  readonly query: Query;
  readonly faults: readonly Fault[];
  /** Whether the PSU is away. */
  readonly unattended: boolean;
}

/** What was read of a call. */
export type Read<Query> = Pick<Asked<Query>, "query" | "faults">;

/** A resource that is served: what it reads of a call once that is admitted, and what it answers to it. */
export interface OfferedResource<
  Query,
  Needs extends AdmissionNeeds = PsuNeeds,
  Proven extends Admission = PsuAdmission,
> {
  readonly resource: CobsResource<Needs>;
  readonly read: (call: IncomingCall) => Read<Query> | Promise<Read<Query>>;
  /** Refuses what was asked with faults. */
  readonly answer: (admission: Proven, asked: Asked<Query>) => Promise<Answer>;
}
