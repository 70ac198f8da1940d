import { createHash } from "node:crypto";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { UsedMarks } from "./used-marks.ts";

/** How many pushed requests of one application may wait at a time; each waits a minute at most (RFC 9126 2.2). */
const MAX_PUSHED_REQUESTS = 1_000;

const REQUEST = "PushedAuthorizationRequest";
const USE = "PushedAuthorizationRequestUse";
/** Longer than the PSU can take from the last moment of a request to the end of the journey that began with it. */
const USE_SECONDS = 3_600;

/** A request as it was pushed, with the name that it goes by from then on. */
export interface PushedRequest<Payload> {
  readonly name: string;
  readonly payload: Payload;
}

/**
 * Authorization requests that applications pushed (RFC 9126). The reference is a secret of the application, so after
 * its first use the request goes by a name that is derived from it and opens nothing. A request is used up by the
 * authorization that the PSU consents to, not when it is loaded, so that a PSU may reload the page or start in
 * another browser (FAPI 2.0 5.3.2.2). From then on no other authorization that began with it can be completed.
 */
export interface PushedRequests<Payload> {
  /** Stores a request of an application; false when as many of them wait as may. */
  push(
    reference: string,
    payload: Payload,
    terms: { readonly applicationId: string; readonly lifetimeSeconds: number },
  ): Promise<boolean>;
  /** The request of an application; undefined when it is another one's, has expired or was used. */
  find(reference: string, applicationId: string): Promise<PushedRequest<Payload> | undefined>;
  /** Uses a request for an authorization: true for exactly one authorization, and for that one again. */
  use(name: string, authorization: string): Promise<boolean>;
}

interface Stored<Payload> {
  readonly payload: Payload;
  readonly applicationId: string;
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Keeps pushed requests where something may be lost, and the marks of used ones where nothing is. */
export function createPushedRequests<Payload extends object>(
  requests: EphemeralStore<Stored<Payload>>,
  usedMarks: UsedMarks,
): PushedRequests<Payload> {
  return {
    push(reference, payload, { applicationId, lifetimeSeconds }) {
      const key = { kind: REQUEST, id: digest(reference) };
      const terms = { uid: applicationId, lifetimeSeconds, limit: MAX_PUSHED_REQUESTS };
      return requests.putAmong(key, { payload, applicationId }, terms);
    },
    async find(reference, applicationId) {
      const name = digest(reference);
      const found = await requests.find({ kind: REQUEST, id: name });
      return found?.applicationId === applicationId ? { name, payload: found.payload } : undefined;
    },
    async use(name, authorization) {
      const terms = { by: digest(authorization), lifetimeSeconds: USE_SECONDS };
      const use = await usedMarks.use({ kind: USE, id: name }, terms);
      if (use === "first") await requests.take({ kind: REQUEST, id: name });
      return use !== "used";
    },
  };
}
