import type { KeyObject } from "node:crypto";
import { findBoundChallenge, makeBoundChallenge } from "../psu/passkeys/bound-challenge.ts";
import { approvesOrders, type Passkey } from "../psu/passkeys/passkey.ts";
import type { Passkeys } from "../psu/passkeys/passkeys.ts";
import type { PasskeyAsking } from "../psu/psu-login.ts";
import type { ApprovalElement } from "../signing/signing-request.ts";
import type { OwnRequest } from "./send-code.ts";

/** Passkeys that approve one order each: the challenge is made from the digest of that order (RTS Article 5(1)(b)). */
export interface OrderPasskeys {
  /** What the PSU's own browser is asked; undefined for a PSU without a passkey, or with only new ones. */
  ask(own: OwnRequest, now: Date): Promise<OrderAsking | undefined>;
  /**
   * What an answer shows. Two answers are no try: `late`, to a question more than five minutes old, and undefined, one that was
   * taken before, as on a second press.
   */
  take(own: OwnRequest, answered: OrderAnswer, now: Date): Promise<ApprovalElement | "late" | undefined>;
}

/** A question that belongs to one order in one browser; `seal` comes back with its answer. */
export interface OrderAsking {
  readonly asking: PasskeyAsking;
  readonly seal: string;
}

/** An answer as posted; nothing in it is verified. */
export interface OrderAnswer {
  readonly seal: string;
  readonly assertion: string;
}

/** Creates the passkeys of orders; `key` is that of bound challenges. */
export function createOrderPasskeys(passkeys: Passkeys, key: KeyObject): OrderPasskeys {
  return {
    async ask(own, now) {
      const list = (await passkeys.store.list(own.request.psu)).filter(admittedAt(now));
      if (list.length === 0) return undefined;
      const { challenge, seal } = makeBoundChallenge(key, bondOf(own), now);
      return { asking: passkeys.ask(challenge, list), seal };
    },
    async take(own, { seal, assertion }, now) {
      // Computed from the present order: another amount or payee has another digest, and so another challenge.
      const challenge = findBoundChallenge(key, { bound: bondOf(own), seal }, now);
      if (challenge === undefined) return "late";
      const { id, order, psu: of } = own.request;
      const proof = await passkeys.prove(assertion, { challenge, of, admits: admittedAt(now) }, now);
      if (proof.result === "counted_before") return undefined;
      const { digest } = order;
      if (proof.result !== "proven") return { element: "passkey", proof: undefined };
      return { element: "passkey", proof: { passkey: proof.passkey, psu: proof.psu, request: id, digest } };
    },
  };
}

const admittedAt = (now: Date) => (passkey: Passkey) => approvesOrders(passkey, now);

function bondOf({ request, browser }: OwnRequest): readonly string[] {
  return ["order", request.id, request.order.digest.toString("base64url"), browser];
}
