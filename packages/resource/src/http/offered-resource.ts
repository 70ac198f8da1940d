import type { Fault } from "@cobs/cobs-model";
import type { Answer, IncomingCall } from "@cobs/service-edge";
import type { Admission, AdmissionNeeds, PsuAdmission, PsuNeeds } from "../admission/admission.ts";
import type { CobsResource } from "./cobs-resources.ts";

/** What an admitted call asks for, as far as it could be read, and all faults of its query and headers. */
export interface Asked<Query> {
  readonly query: Query;
  readonly faults: readonly Fault[];
  /** Whether the PSU is away. */
  readonly unattended: boolean;
}

/** What was read from a call. */
export type Read<Query> = Pick<Asked<Query>, "query" | "faults">;

/** A resource that is served: how it reads a call after its admission, and how it answers. */
export interface OfferedResource<
  Query,
  Needs extends AdmissionNeeds = PsuNeeds,
  Proven extends Admission = PsuAdmission,
> {
  readonly resource: CobsResource<Needs>;
  readonly read: (call: IncomingCall) => Read<Query> | Promise<Read<Query>>;
  /** Answers an admitted call; refuses a call with faults. */
  readonly answer: (admission: Proven, asked: Asked<Query>) => Promise<Answer>;
}
