import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { requireAddressOfError } from "./require-address.ts";
import type { IsResumedElsewhere } from "./resumed-elsewhere.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/**
 * What is kept: without the record's own id, which `returnTo` ends with. The id of the session cookie is a bearer secret
 * too, and an interaction finds its session by `uid`. A sign-in does not hang on the session that the browser had before
 * it: that one may end meanwhile, or be another PSU's.
 */
function withoutSecrets({ jti: _, returnTo: __, session, ...payload }: AdapterPayload): AdapterPayload {
  if (session === undefined || payload.prompt?.name === "login") return payload;
  const { cookie: ___, ...rest } = session;
  return { ...payload, session: rest };
}

/** As where a sign-in that has ended would become a code. */
const SIGN_IN_ENDED = { error: "access_denied", error_description: "the sign-in has ended" };

/**
 * An authorization that goes on with the sign-in of one PSU, after somebody else has signed in in the same browser: their
 * sign-in has ended with that. The provider would ask to sign out with a page of its own.
 */
function unlessAnotherCame(payload: AdapterPayload): AdapterPayload {
  const { route, session } = Provider.ctx?.oidc ?? {};
  const psu = payload.result?.login?.accountId;
  const present = route === "resume" ? session?.accountId : undefined;
  if (psu === undefined || present === undefined || present === psu) return payload;
  return { ...payload, result: SIGN_IN_ENDED };
}

/**
 * Whether a page is passed over that the PSU has not answered. The provider would begin its step, or the one before, anew and for
 * as long as at first, so that an authorization would have no end, nor would the pushed request that it began with.
 */
function isPassedOver({ result }: AdapterPayload): boolean {
  return Provider.ctx?.oidc.route === "resume" && result === undefined;
}

/** What the adapters of sessions and interactions are made of. */
export interface EphemeralAdapterParts {
  readonly ephemeral: EphemeralStore<AdapterPayload>;
  /** The address under which an interaction is resumed, by its id. */
  readonly resumeAt: string;
  readonly isResumedElsewhere: IsResumedElsewhere;
}

/**
 * Stores sessions and interactions. An interaction can be resumed once: of parallel attempts one removes it, and the
 * others fail. Without an answer, and in another browser than its PSU's, there is none, and theirs goes on.
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
      if (lifetimeSeconds === undefined) throw new TypeError("a record needs an end");
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
        throw new errors.SessionNotFound("interaction was resumed already");
    },
  };
}
