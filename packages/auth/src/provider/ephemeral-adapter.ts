import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { requireAddressOfError } from "./require-address.ts";
import type { IsResumedElsewhere } from "./resumed-elsewhere.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/**
 * Removes secrets before a record is stored: its own id, with which `returnTo` ends, and the id of the session cookie,
 * also a bearer secret; an interaction finds its session by `uid`. A sign-in does not depend on the browser's earlier
 * session at all, which may end meanwhile or be another PSU's.
 */
function withoutSecrets({ jti: _, returnTo: __, session, ...payload }: AdapterPayload): AdapterPayload {
  if (session === undefined || payload.prompt?.name === "login") return payload;
  const { cookie: ___, ...rest } = session;
  return { ...payload, session: rest };
}

/** The same error as when an ended sign-in would become a code. */
const SIGN_IN_ENDED = { error: "access_denied", error_description: "the sign-in has ended" };

/**
 * Ends an authorization that resumes with one PSU's sign-in after another PSU has signed in in the same browser, which
 * ended the first sign-in. The provider would ask to sign out with a page of its own.
 */
function unlessAnotherCame(payload: AdapterPayload): AdapterPayload {
  const { route, session } = Provider.ctx?.oidc ?? {};
  const psu = payload.result?.login?.accountId;
  const present = route === "resume" ? session?.accountId : undefined;
  if (psu === undefined || present === undefined || present === psu) return payload;
  return { ...payload, result: SIGN_IN_ENDED };
}

/**
 * Whether an authorization is resumed without the PSU's answer to its page. The provider would begin its step, or the
 * one before, again with its full lifetime, so the authorization and its pushed request would never end.
 */
function isPassedOver({ result }: AdapterPayload): boolean {
  return Provider.ctx?.oidc.route === "resume" && result === undefined;
}

/** What the adapters of sessions and interactions need. */
export interface EphemeralAdapterParts {
  readonly ephemeral: EphemeralStore<AdapterPayload>;
  /** Address at which interactions are resumed; the id follows. */
  readonly resumeAt: string;
  readonly isResumedElsewhere: IsResumedElsewhere;
}

/**
 * Makes the adapter that stores sessions and interactions. An interaction can be resumed once: of parallel attempts one
 * removes it, and the others fail. Without an answer, or in another browser than its PSU's, it is not found, and stays
 * open in its own browser.
 */
export function createEphemeralAdapter(
  kind: "Session" | "Interaction",
  { ephemeral: store, resumeAt, isResumedElsewhere }: EphemeralAdapterParts,
): Adapter {
  const findStored = async (id: string) => {
    const payload = await store.find({ kind, id });
    return kind === "Interaction" && payload !== undefined && isPassedOver(payload) ? undefined : payload;
  };
  const ownMembers = (id: string) =>
    kind === "Interaction" ? { jti: id, returnTo: `${resumeAt}/${id}` } : { jti: id };
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, payload, lifetimeSeconds) {
      if (lifetimeSeconds === undefined) throw new TypeError("a record must have a lifetime");
      await store.put({ kind, id }, withoutSecrets(payload), { uid: payload.uid, lifetimeSeconds });
    },
    async find(id) {
      const payload = await findStored(id);
      if (payload === undefined || (await isResumedElsewhere(payload))) return undefined;
      const resumed = unlessAnotherCame(payload);
      await requireAddressOfError(resumed);
      return { ...resumed, ...ownMembers(id) };
    },
    findByUid: (uid) => store.findByUid(kind, uid),
    async destroy(id) {
      const taken = await store.take({ kind, id });
      if (!taken && kind === "Interaction")
        throw new errors.SessionNotFound("the interaction has already been resumed");
    },
  };
}
