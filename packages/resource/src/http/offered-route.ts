/**
 * Turns a resource into a route. Each call is admitted first and read afterwards. It is admitted again if its body was
 * awaited, or if the call had to wait for a slot.
 */
import { ContentRefusal } from "@cobs/cobs-model";
import type { IncomingCall, Route, RunInSlot } from "@cobs/service-edge";
import type { Admission, AdmissionNeeds } from "../admission/admission.ts";
import { type AdmissionParts, admitTpp } from "../admission/admit-call.ts";
import type { CobsResource } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import { type HeaderRules, readCobsHeaders } from "./read-cobs-headers.ts";
import { requireJsonExchange } from "./require-json-exchange.ts";

/** Dependencies of every route of a resource. */
export interface ResourceRouteParts {
  readonly admission: AdmissionParts;
  readonly headerRules: HeaderRules;
  /** Runs a call in one of its TPP's slots. */
  readonly inSlotOf: RunInSlot;
}

/** One of the functions of `admit-call.ts`. */
type Admit<Needs, Proven> = (call: IncomingCall, needs: Needs, parts: AdmissionParts) => Promise<Proven>;

/** Creates the route of a resource that is served. */
export function offeredRoute<Query, Needs extends AdmissionNeeds, Proven extends Admission>(
  admit: Admit<Needs, Proven>,
  { resource, read, answer }: OfferedResource<Query, Needs, Proven>,
  parts: ResourceRouteParts,
): Route {
  const { headerRules, inSlotOf } = parts;
  const rules = resource.needsNoTppName ? { ...headerRules, tppName: "optional" as const } : headerRules;
  return routeOf(resource, async (call) => {
    const admission = await admit(call, resource.needs, parts.admission);
    call.note(factsOf(admission));
    requireJsonExchange(call);
    const { unattended, originalTpp, faults } = readCobsHeaders(call, rules);
    call.note(originalTpp);
    call.note({ unattended });
    const reading = read(call);
    const asked = await reading;
    return inSlotOf(admission.tpp.organisationIdentifier, async (hasWaited) => {
      // A body may take half a minute to arrive, and a slot seconds to become free: an ending in the meantime must end this
      // call too.
      const isLate = reading instanceof Promise || hasWaited;
      const present = isLate ? await admit(call, resource.needs, parts.admission) : admission;
      return await answer(present, { query: asked.query, faults: [...faults, ...asked.faults], unattended });
    });
  });
}

/**
 * Creates the route of a resource that is not served: its TPP is admitted, and gets 501 NOT_IMPLEMENTED. Its token is not looked
 * at: auth gives none with the scope of a resource that the bank does not offer.
 */
export function notOfferedRoute(resource: CobsResource, parts: AdmissionParts): Route {
  return routeOf(resource, async (call) => {
    call.note(factsOf(await admitTpp(call, resource.needs, parts)));
    requireJsonExchange(call);
    const message = "this resource is not offered by this bank";
    throw new ContentRefusal([{ code: "NOT_IMPLEMENTED", path: undefined, message }]);
  });
}

function routeOf({ method, path }: Pick<CobsResource, "method" | "path">, handle: Route["handle"]): Route {
  return { method, path, handle };
}

/**
 * The log names the caller and the consent, and never the person; the certificate by both of its forms, because whoever has
 * one can use either.
 */
function factsOf(admission: Admission): Readonly<Record<string, string | undefined>> {
  const { organisationIdentifier, thumbprint, twinThumbprint } = admission.tpp;
  if (admission.kind === "tpp") return { organisationIdentifier, thumbprint, twinThumbprint };
  const { applicationId, consentId } = admission;
  // Each name stands here: V8 takes microseconds for those behind a spread.
  return { organisationIdentifier, thumbprint, twinThumbprint, applicationId, consentId };
}
