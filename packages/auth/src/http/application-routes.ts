import {
  presentApplication,
  presentApplicationList,
  presentCreatedApplication,
  presentRenewedSecret,
  presentUpdatedApplication,
} from "@cobs/cobs-model";
import type { RevocationDemand, TppIdentity } from "@cobs/psd2-certificates";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import { ApplicationRefusal } from "../applications/application-refusal.ts";
import type { OwnedApplicationId } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import {
  type RegistrationParts,
  registerApplication,
  renewSecret,
  replaceApplication,
} from "../applications/registration.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { ConfirmIdentity } from "../tpp/confirm-identity.ts";
import type { IdentifyTpp } from "../tpp/identify-tpp.ts";

const APPLICATIONS = "/cobs/2.0/applications";

type Handle = (call: IncomingCall, tpp: TppIdentity) => Promise<Omit<Answer, "facts">>;

function requireKnown<T>(found: T | undefined | false): T {
  if (found === undefined || found === false) throw new ApplicationRefusal("application_unknown");
  return found;
}

function ownedBy(tpp: TppIdentity, text: string | undefined): OwnedApplicationId {
  return { owner: tpp.organisationIdentifier, id: requireKnown(findApplicationId(text)) };
}

function idInBody(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("client_id" in body)) return undefined;
  if (body.client_id === null) return undefined;
  if (typeof body.client_id !== "string") throw new ApplicationRefusal("client_id_malformed");
  return body.client_id;
}

/** `PUT` names its application in the path, as the standard has it, or in the body, as the bank's interface prints it. */
function idToReplace(call: IncomingCall): string {
  const { id: inPath } = call.parameters;
  const inBody = idInBody(call.body);
  if (inPath !== undefined && inBody !== undefined && inPath !== inBody) {
    throw new ApplicationRefusal("client_id_contradictory");
  }
  const id = inPath ?? inBody;
  if (id === undefined) throw new ApplicationRefusal("client_id_missing");
  return id;
}

/** What the application resources need. */
export interface ApplicationParts extends RegistrationParts {
  readonly identify: IdentifyTpp;
  readonly confirmIdentity: ConfirmIdentity;
  readonly limits: RateLimits;
}

function createHandlers(parts: ApplicationParts) {
  const { applications: store, confirmIdentity } = parts;
  const register: Handle = async (call, tpp) => {
    await confirmIdentity(call, tpp);
    const { application, secret } = await registerApplication(parts, tpp, call.body);
    return { status: 201, json: presentCreatedApplication(application, secret) };
  };
  const list: Handle = async (_call, tpp) => ({
    status: 200,
    json: presentApplicationList(await store.listOwned(tpp.organisationIdentifier)),
  });
  const read: Handle = async (call, tpp) => {
    const found = await store.findOwned(ownedBy(tpp, call.parameters.id));
    return { status: 200, json: presentApplication(requireKnown(found)) };
  };
  const replace: Handle = async (call, tpp) => {
    const { id } = ownedBy(tpp, idToReplace(call));
    const replaced = await replaceApplication(parts, tpp, { id, body: call.body });
    return { status: 200, json: presentUpdatedApplication(replaced) };
  };
  const remove: Handle = async (call, tpp) => {
    requireKnown(await store.remove(ownedBy(tpp, call.parameters.id)));
    return { status: 204 };
  };
  const renew: Handle = async (call, tpp) => {
    const which = ownedBy(tpp, call.parameters.id);
    return { status: 200, json: presentRenewedSecret(which.id, await renewSecret(store, which)) };
  };
  return { register, list, read, replace, remove, renew };
}

/** The routes at which a TPP manages its applications (COBS PDF 1.4.1). Each first proves who calls; a foreign id is unknown. */
export function createApplicationRoutes(parts: ApplicationParts): readonly Route[] {
  const { register, list, read, replace, remove, renew } = createHandlers(parts);
  const ofTpp =
    (handle: Handle, demand: RevocationDemand): Route["handle"] =>
    async (call) => {
      const tpp = await parts.identify(call, demand);
      if (call.method !== "GET") {
        const counted = { limit: "application_changes_tpp", of: tpp.organisationIdentifier } as const;
        await parts.limits.count([counted]);
      }
      return { ...(await handle(call, tpp)), facts: { tpp: tpp.organisationIdentifier } };
    };
  return [
    { method: "POST", path: APPLICATIONS, body: "json", handle: ofTpp(register, "certain") },
    { method: "GET", path: APPLICATIONS, body: "none", handle: ofTpp(list, "known") },
    { method: "PUT", path: APPLICATIONS, body: "json", handle: ofTpp(replace, "certain") },
    { method: "GET", path: `${APPLICATIONS}/:id`, body: "none", handle: ofTpp(read, "known") },
    { method: "PUT", path: `${APPLICATIONS}/:id`, body: "json", handle: ofTpp(replace, "certain") },
    { method: "DELETE", path: `${APPLICATIONS}/:id`, body: "none", handle: ofTpp(remove, "known") },
    {
      method: "POST",
      path: `${APPLICATIONS}/:id/renewSecret`,
      body: "none",
      handle: ofTpp(renew, "certain"),
    },
  ];
}
