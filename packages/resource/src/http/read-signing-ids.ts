import type { IncomingCall } from "@cobs/service-edge";
import type { SigningInPath } from "../signing/require-signing.ts";

/** The ids of an authorization, as they came. */
export type SigningIds = Pick<SigningInPath, "paymentId" | "signId">;

/** Reads the ids of the path of an authorization. */
export function readSigningIds({ parameters: { paymentId = "", signId = "" } }: IncomingCall): SigningIds {
  return { paymentId, signId };
}
