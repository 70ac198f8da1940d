/**
 * What the mutual-TLS listener serves: every resource of COBS 2.0 chapter 3. Each call is admitted first and read
 * afterwards, so that a caller who may not call learns nothing about what it asked for.
 */
import { ContentRefusal } from "@cobs/cobs-model";
import type { Clock, IncomingCall, Route } from "@cobs/service-edge";
import type { HistoryParts } from "../accounts/list-transactions.ts";
import type { Admission, AdmissionNeeds } from "../admission/admission.ts";
import { type AdmissionParts, admitCall, admitForPsu } from "../admission/admit-call.ts";
import { accountList } from "./account-list.ts";
import { balance } from "./balance.ts";
import { type CobsResource, NOT_OFFERED } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import { type HeaderRules, readCobsHeaders } from "./read-cobs-headers.ts";
import { requireJsonExchange } from "./require-json-exchange.ts";
import { transactionList } from "./transaction-list.ts";

/** What the routes for TPPs are made of. */
export interface TppRouteParts extends HistoryParts {
  readonly admission: AdmissionParts;
  readonly headerRules: HeaderRules;
  readonly clock: Clock;
}

/** The routes for TPPs. */
export function createTppRoutes(parts: TppRouteParts): readonly Route[] {
  return [
    offeredRoute(admitForPsu, accountList(parts.bank), parts),
    offeredRoute(admitForPsu, balance(parts), parts),
    offeredRoute(admitForPsu, transactionList(parts), parts),
    ...NOT_OFFERED.map((resource) => notOfferedRoute(resource, parts.admission)),
  ];
}

/** One of the ways in which `admit-call.ts` admits. */
type Admit<Needs, Proven> = (call: IncomingCall, needs: Needs, parts: AdmissionParts) => Promise<Proven>;

/** The body is read after the caller was judged, as everything else. */
function offeredRoute<Query, Needs extends AdmissionNeeds, Proven extends Admission>(
  admit: Admit<Needs, Proven>,
  { resource, read, answer }: OfferedResource<Query, Needs, Proven>,
  { admission: admissionParts, headerRules }: TppRouteParts,
): Route {
  const rules = resource.needsNoTppName ? { ...headerRules, tppName: "optional" as const } : headerRules;
  return routeOf(resource, async (call) => {
    const admission = await admit(call, resource.needs, admissionParts);
    const { unattended, originalTpp, faults } = readCobsHeaders(call, rules);
    call.note({ ...factsOf(admission), ...originalTpp });
    const asked = await read(call);
    return answer(admission, { ...asked, faults: [...faults, ...asked.faults], unattended });
  });
}

function notOfferedRoute(resource: CobsResource, parts: AdmissionParts): Route {
  return routeOf(resource, async (call) => {
    call.note(factsOf(await admitCall(call, resource.needs, parts)));
    const message = "this resource is not offered by this bank";
    throw new ContentRefusal([{ code: "NOT_IMPLEMENTED", path: undefined, message }]);
  });
}

function routeOf({ method, path }: Pick<CobsResource, "method" | "path">, handle: Route["handle"]): Route {
  const handleExchange: Route["handle"] = async (call) => {
    requireJsonExchange(call);
    return handle(call);
  };
  return { method, path, body: "none", handle: handleExchange };
}

/** The log says who called with which consent; never for which person. */
function factsOf(admission: Admission): Readonly<Record<string, string>> {
  const { organisationIdentifier, thumbprint } = admission.tpp;
  if (admission.kind === "tpp") return { organisationIdentifier, thumbprint };
  const { applicationId, consentId } = admission;
  return { organisationIdentifier, thumbprint, applicationId, consentId };
}
