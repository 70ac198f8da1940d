import {
  presentApplication,
  presentApplicationList,
  presentCreatedApplication,
  presentRenewedKey,
  presentRenewedSecret,
  presentUpdatedApplication,
} from "@cobs/cobs-model";
import type { RevocationDemand, TppIdentity } from "@cobs/psd2-certificates";
import { type Answer, type IncomingCall, isJsonObject, type Route } from "@cobs/service-edge";
import type { RegisteredApplication } from "../applications/application.ts";
import { ApplicationRefusal } from "../applications/application-refusal.ts";
import type { OwnedApplicationId } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import {
  type RegistrationParts,
  registerApplication,
  removeApplication,
  renewSecret,
  replaceApplication,
  requireKnown,
  type WantedChange,
} from "../applications/registration.ts";
import type { Act } from "../audit/act.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { ConfirmIdentity } from "../tpp/confirm-identity.ts";
import type { IdentifyTpp } from "../tpp/identify-tpp.ts";
import { entityTagOf, isNotModified, stateRequirementOf } from "./preconditions.ts";

const APPLICATIONS = "/cobs/2.0/applications";
const ONE = `${APPLICATIONS}/:id`;

/** Table: the endpoints at which a TPP manages its applications, by action. */
const ENDPOINTS = [
  ["register", "POST", APPLICATIONS],
  ["list", "GET", APPLICATIONS],
  ["replace", "PUT", APPLICATIONS],
  ["read", "GET", ONE],
  ["replace", "PUT", ONE],
  ["remove", "DELETE", ONE],
  ["renew", "POST", `${ONE}/renewSecret`],
  ["renewKey", "POST", `${ONE}/renewKey`],
] as const;

type Action = (typeof ENDPOINTS)[number][0];

/** Makes the routes of all these endpoints, for either host. */
export function routesOfApplications(handleOf: (action: Action) => Route["handle"]): readonly Route[] {
  return ENDPOINTS.map(([action, method, path]) => ({ method, path, handle: handleOf(action) }));
}

type Handle = (call: IncomingCall, tpp: TppIdentity) => Promise<Answer>;

function ownedBy(tpp: TppIdentity, text: string | undefined): OwnedApplicationId {
  return { owner: tpp.organisationIdentifier, id: requireKnown(findApplicationId(text)) };
}

function idInBody(body: unknown): string | undefined {
  const id = isJsonObject(body) ? (body.client_id ?? undefined) : undefined;
  if (id !== undefined && typeof id !== "string") throw new ApplicationRefusal("client_id_malformed");
  return id;
}

/** The id of a `PUT`: in the path, as the standard has it, or in the body, as the bank's interface prints it. */
function idToReplace(call: IncomingCall, body: unknown): string {
  const { id: inPath } = call.parameters;
  const inBody = idInBody(body);
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

function actOf({ requestId }: IncomingCall, tpp: TppIdentity): Act {
  const { organisationIdentifier, thumbprint: certificate } = tpp;
  return { actor: { kind: "tpp", organisationIdentifier, certificate }, requestId };
}

function changeOf(call: IncomingCall, tpp: TppIdentity, id: string | undefined): WantedChange {
  return { which: ownedBy(tpp, id), act: actOf(call, tpp), requireState: stateRequirementOf(call) };
}

/** The tag of the state in an answer, for a later `If-Match`. */
const tagged = (application: RegisteredApplication) => ({ ETag: entityTagOf(application) });

function createReadings({ applications: store, limits }: ApplicationParts) {
  const findKnown = async (call: IncomingCall, tpp: TppIdentity) =>
    requireKnown(await store.findOwned(ownedBy(tpp, call.parameters.id)));
  const list: Handle = async (_call, { organisationIdentifier: owner }) => {
    limits.countHere({ limit: "application_lists_tpp", of: owner });
    return { status: 200, json: presentApplicationList(await store.listOwned(owner)) };
  };
  const read: Handle = async (call, tpp) => {
    const found = await findKnown(call, tpp);
    const headers = tagged(found);
    if (isNotModified(call, found)) return { status: 304, headers };
    return { status: 200, headers, json: presentApplication(found) };
  };
  const renewKey: Handle = async (call, tpp) => ({
    status: 200,
    json: presentRenewedKey((await findKnown(call, tpp)).id),
  });
  return { list, read, renewKey };
}

function createChanges(parts: ApplicationParts) {
  /**
   * Reads the body, then identifies the TPP again: a body may take half a minute to arrive, and the TPP may be blocked
   * by then.
   */
  const readBody = async (call: IncomingCall): Promise<unknown> => {
    const body = await call.readJson();
    await parts.identify(call, "certain");
    return body;
  };
  const register: Handle = async (call, tpp) => {
    const body = await readBody(call);
    await parts.confirmIdentity(call, tpp);
    const by = { tpp, act: actOf(call, tpp) };
    const { application, secret } = await registerApplication(parts, by, body);
    return {
      status: 201,
      // The tag is of the new application, not of the list that was addressed (RFC 9110 15.3.2).
      headers: { Location: `${APPLICATIONS}/${application.id}`, ...tagged(application) },
      json: presentCreatedApplication(application, secret),
    };
  };
  const replace: Handle = async (call, tpp) => {
    const body = await readBody(call);
    const change = changeOf(call, tpp, idToReplace(call, body));
    const replaced = await replaceApplication(parts, change, { tpp, body });
    return { status: 200, headers: tagged(replaced), json: presentUpdatedApplication(replaced) };
  };
  const remove: Handle = async (call, tpp) => {
    await removeApplication(parts, changeOf(call, tpp, call.parameters.id));
    return { status: 204 };
  };
  const renew: Handle = async (call, tpp) => {
    const { application, secret } = await renewSecret(parts, changeOf(call, tpp, call.parameters.id));
    return { status: 200, headers: tagged(application), json: presentRenewedSecret(application.id, secret) };
  };
  return { register, replace, remove, renew };
}

/** Methods that change nothing, and do not count as changes (RFC 9110 9.2.1). */
const READING: readonly string[] = ["GET", "HEAD"];

/**
 * Makes the routes at which a TPP manages its applications (COBS PDF 1.4.1). Each identifies the caller before it reads
 * the body, and again after; another TPP's id is unknown.
 */
export function createApplicationRoutes(parts: ApplicationParts): readonly Route[] {
  const { list, read, renewKey } = createReadings(parts);
  const { register, replace, remove, renew } = createChanges(parts);
  const ofTpp =
    (handle: Handle, demand: RevocationDemand): Route["handle"] =>
    async (call) => {
      const tpp = await parts.identify(call, demand);
      const { organisationIdentifier: of, thumbprint, twinThumbprint } = tpp;
      call.note({ tpp: of, thumbprint, twinThumbprint });
      if (!READING.includes(call.method))
        await parts.limits.count([{ limit: "application_changes_tpp", of }]);
      return handle(call, tpp);
    };
  const handles: Readonly<Record<Action, Route["handle"]>> = {
    register: ofTpp(register, "certain"),
    list: ofTpp(list, "known"),
    replace: ofTpp(replace, "certain"),
    read: ofTpp(read, "known"),
    remove: ofTpp(remove, "known"),
    renew: ofTpp(renew, "certain"),
    renewKey: ofTpp(renewKey, "known"),
  };
  return routesOfApplications((action) => handles[action]);
}
