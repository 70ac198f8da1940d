import type { Language, PsuId } from "@cobs/cobs-model";
import type { Act } from "../../audit/act.ts";
import type { NewPasskey, Passkey } from "./passkey.ts";

/** Passkeys that one PSU may have at a time. */
export const MOST_PASSKEYS = 10;

/**
 * The call in which a passkey is added or removed, when, and the language of the notice to the PSU. `authenticatedAt` is when the
 * PSU was authenticated: a block by the bank that was in force since then refuses the change.
 */
export interface PasskeyAct {
  readonly act: Act & { readonly requestId: string };
  readonly now: Date;
  readonly language: Language;
  readonly authenticatedAt: Date;
}

/**
 * What became of a passkey to add. `known`: this PSU or another one has it already. `too_many`: the PSU has as many as are
 * allowed. `too_often`: too many changes within an hour. `not_admitted`: the PSU is blocked, or was so after the sign-in.
 */
export type AdditionOutcome = "added" | "known" | "too_many" | "too_often" | "not_admitted";

/** What became of a passkey to remove. `last`: it is the PSU's only authenticator. */
export type RemovalOutcome = "removed" | "unknown" | "last" | "not_admitted";

/**
 * The passkeys of all PSUs, durable and the same for every process. A credential belongs to one PSU. The transaction of an
 * addition or removal also writes it to the audit log, and stores a notice to its PSU. Of concurrent changes of one PSU, each
 * sees those before it.
 */
export interface PasskeyStore {
  add(passkey: NewPasskey, by: PasskeyAct): Promise<AdditionOutcome>;
  /** The passkeys of a PSU, oldest first. */
  list(psu: PsuId): Promise<readonly Passkey[]>;
  find(credentialId: string): Promise<Passkey | undefined>;
  /**
   * Notes that a passkey has signed with this counter. False when the passkey is gone, or has signed with the same or a greater
   * counter before. Of any number of callers with one counter above 0, in any process, one gets true.
   */
  use(id: string, counter: number, now: Date): Promise<boolean>;
  remove(passkey: Pick<Passkey, "id" | "psu">, by: PasskeyAct): Promise<RemovalOutcome>;
}
