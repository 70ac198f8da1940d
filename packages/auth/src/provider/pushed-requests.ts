import { createHash } from "node:crypto";
import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { UsedMarks } from "./used-marks.ts";

/** Most pushed requests of one application that may wait at a time; each waits at most a minute (RFC 9126 2.2). */
const MAX_PUSHED_REQUESTS = 1_000;

const REQUEST = "PushedAuthorizationRequest";
const USE = "PushedAuthorizationRequestUse";
/** Longer than the PSU can take from a request's last moment to the end of the journey that began with it. */
const USE_SECONDS = 3_600;

/** A pushed request, with the name by which it is known after its first use. */
export interface PushedRequest<Payload> {
  readonly name: string;
  readonly payload: Payload;
}

/**
 * Authorization requests that applications pushed (RFC 9126). The reference is a secret of the application, so after
 * its first use the request is known by a name derived from it that opens nothing. The authorization that the PSU
 * consents to uses the request up; loading it does not, so that a PSU may reload the page or start in another browser
 * (FAPI 2.0 5.3.2.2). From then on, no other authorization that began with it can be completed.
 */
export interface PushedRequests<Payload> {
  /** Stores a request of an application; when the most allowed already wait, tells when the first of them expires. */
  push(
    reference: string,
    payload: Payload,
    terms: { readonly applicationId: string; readonly lifetimeSeconds: number },
  ): Promise<"stored" | { readonly waitMilliseconds: number }>;
  /** Finds a request; undefined when it is another application's, has expired or was used. */
  find(reference: string, applicationId: string): Promise<PushedRequest<Payload> | undefined>;
  /** Uses a request for an authorization; true for exactly one authorization, and again for the same one. */
  use(name: string, authorization: string): Promise<boolean>;
}

interface Stored<Payload> {
  readonly payload: Payload;
  readonly applicationId: string;
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Keeps pushed requests in an ephemeral store, and the marks of used ones in a durable one. */
export function createPushedRequests<Payload extends object>(
  requests: EphemeralStore<Stored<Payload>>,
  usedMarks: UsedMarks,
): PushedRequests<Payload> {
  return {
    async push(reference, payload, { applicationId, lifetimeSeconds }) {
      const key = { kind: REQUEST, id: digest(reference) };
      const terms = { uid: applicationId, lifetimeSeconds, limit: MAX_PUSHED_REQUESTS };
      if (await requests.putAmong(key, { payload, applicationId }, terms)) return "stored";
      return { waitMilliseconds: await requests.waitAmong(REQUEST, applicationId) };
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
