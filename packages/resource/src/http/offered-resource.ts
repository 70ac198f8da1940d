import type { Answer, IncomingCall } from "@cobs/service-edge";
import type { PsuAdmission, PsuNeeds } from "../admission/admission.ts";
import type { CobsResource } from "./cobs-resources.ts";

/** A resource that is served: what it reads of a call once that is admitted, and what it answers to it. */
export interface OfferedResource<Query> {
  readonly resource: CobsResource<PsuNeeds>;
  readonly parse: (call: IncomingCall) => Query;
  readonly answer: (admission: PsuAdmission, query: Query) => Promise<Answer>;
}
