/**
 * What the mutual-TLS listener serves: every resource of COBS 2.0 chapter 3. Each call is admitted first and read
 * afterwards, so that a caller who may not call learns nothing about what it asked for.
 */
import { ContentRefusal } from "@cobs/cobs-model";
import type { Answer, Route } from "@cobs/service-edge";
import type { Admission } from "../admission/admission.ts";
import { type AdmissionParts, admitCall, admitForPsu } from "../admission/admit-call.ts";
import type { Bank } from "../bank/bank.ts";
import { accountList } from "./account-list.ts";
import { type CobsResource, NOT_OFFERED } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import { requireJsonExchange } from "./require-json-exchange.ts";

/** The routes for TPPs. */
export function createTppRoutes(bank: Bank, parts: AdmissionParts): readonly Route[] {
  return [
    offeredRoute(accountList(bank), parts),
    ...NOT_OFFERED.map((resource) => notOfferedRoute(resource, parts)),
  ];
}

function offeredRoute<Query>(
  { resource, parse, answer }: OfferedResource<Query>,
  parts: AdmissionParts,
): Route {
  return routeOf(resource, async (call) => {
    const admission = await admitForPsu(call, resource.needs, parts);
    return withFacts(await answer(admission, parse(call)), admission);
  });
}

function notOfferedRoute(resource: CobsResource, parts: AdmissionParts): Route {
  return routeOf(resource, async (call) => {
    await admitCall(call, resource.needs, parts);
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
function withFacts(answer: Answer, admission: Admission): Answer {
  const { organisationIdentifier, thumbprint } = admission.tpp;
  const facts = { organisationIdentifier, thumbprint };
  if (admission.kind === "tpp") return { ...answer, facts };
  const { applicationId, consentId } = admission;
  return { ...answer, facts: { ...facts, applicationId, consentId } };
}
