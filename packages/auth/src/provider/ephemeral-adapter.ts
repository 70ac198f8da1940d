import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
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

/** Sessions and interactions. An interaction is resumed once: of parallel attempts one removes it, the others fail. */
export function createEphemeralAdapter(
  kind: "Session" | "Interaction",
  store: EphemeralStore<AdapterPayload>,
  resumeAt: string,
): Adapter {
  const ownMembers = (id: string) =>
    kind === "Interaction" ? { jti: id, returnTo: `${resumeAt}/${id}` } : { jti: id };
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, payload, lifetimeSeconds) {
      if (lifetimeSeconds === undefined) throw new TypeError("a record needs an end");
      await store.put({ kind, id }, withoutSecrets(payload), { uid: payload.uid, lifetimeSeconds });
    },
    async find(id) {
      const payload = await store.find({ kind, id });
      return payload && { ...payload, ...ownMembers(id) };
    },
    findByUid: (uid) => store.findByUid(kind, uid),
    async destroy(id) {
      const taken = await store.take({ kind, id });
      if (!taken && kind === "Interaction")
        throw new errors.SessionNotFound("interaction was resumed already");
    },
  };
}
