import type { IncomingCall } from "@cobs/service-edge";
import type { SigningInPath } from "../signing/require-signing.ts";

/** The ids of an authorization, as they were sent. */
export type SigningIds = Pick<SigningInPath, "paymentId" | "signId">;

/** Reads the ids of an authorization from the path. */
export function readSigningIds({ parameters: { paymentId = "", signId = "" } }: IncomingCall): SigningIds {
  return { paymentId, signId };
}
