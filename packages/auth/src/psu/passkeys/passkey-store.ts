import type { Language, PsuId } from "@cobs/cobs-model";
import type { Act } from "../../audit/act.ts";
import type { NewPasskey, Passkey } from "./passkey.ts";

/** As many passkeys has a PSU at a time. */
export const MOST_PASSKEYS = 10;

/**
 * In which call something was done, when, and in which language the PSU is told of it; and when they were authenticated, which a
 * block by the bank outdates.
 */
export interface PasskeyAct {
  readonly act: Act & { readonly requestId: string };
  readonly now: Date;
  readonly language: Language;
  readonly authenticatedAt: Date;
}

/**
 * What became of a passkey that was to be added: `known` is one that somebody has already, this PSU or another; `too_many` are
 * those that a PSU has, and `too_often` were the changes of an hour; `not_admitted` comes of a PSU who is blocked, or was so
 * after the sign-in.
 */
export type AdditionOutcome = "added" | "known" | "too_many" | "too_often" | "not_admitted";

/** What became of one that was to be removed; `last` is a PSU's only authenticator. */
export type RemovalOutcome = "removed" | "unknown" | "last" | "not_admitted";

/**
 * The passkeys of all PSUs, durable, the same for every process. A credential belongs to one PSU. That one was added or
 * removed is told in the audit log, and to its PSU by a notice, in its own transaction; of changes of one PSU at once each sees
 * those before it.
 */
export interface PasskeyStore {
  add(passkey: NewPasskey, by: PasskeyAct): Promise<AdditionOutcome>;
  /** Those of a PSU, oldest first. */
  list(psu: PsuId): Promise<readonly Passkey[]>;
  find(credentialId: string): Promise<Passkey | undefined>;
  /**
   * Notes that a passkey has signed with this counter: true unless it is gone, or has signed with the same or a greater one
   * before. Of any number of callers with one counter above 0, in any process, one gets true.
   */
  use(id: string, counter: number, now: Date): Promise<boolean>;
  remove(passkey: Pick<Passkey, "id" | "psu">, by: PasskeyAct): Promise<RemovalOutcome>;
}
