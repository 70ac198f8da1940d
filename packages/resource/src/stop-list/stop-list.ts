/**
 * The TPPs and certificates that the bank has blocked, as auth reports them. This folder owns knowing the list: it is loaded
 * as a whole once, and changed by each event. Auth owns who is put on it and why; `admission` refuses those on it.
 */
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { BlockedParties, Ending, EndingTaker } from "../endings/ending.ts";
import type { Endings } from "../endings/follow-endings.ts";

/** The stop list, as fresh as a token's description must be. */
export interface StopList {
  /**
   * The blocked parties, known at most `freshnessSeconds` ago; a promise when auth must be asked. It rejects with
   * `PrivateServiceUnavailable` when auth does not answer, and with `EndingsRefusal` when its answer cannot be believed.
   * After either nothing is known.
   */
  current(): BlockedParties | Promise<BlockedParties>;
}

/** A list that follows auth's events. */
export type KeptStopList = EndingTaker & { readonly blocked: BlockedParties };

/** Creates an empty list, which is worth nothing before `begin`. */
export function keepStopList(): KeptStopList {
  const organisationIdentifiers = new Set<OrganisationIdentifier>();
  const thumbprints = new Set<CertificateThumbprint>();
  function take(ending: Ending): void {
    switch (ending.kind) {
      case "tpp_blocked":
        return void organisationIdentifiers.add(ending.organisationIdentifier);
      case "tpp_released":
        return void organisationIdentifiers.delete(ending.organisationIdentifier);
      case "certificate_blocked":
        return void thumbprints.add(ending.thumbprint);
      case "certificate_released":
        return void thumbprints.delete(ending.thumbprint);
    }
  }
  return {
    blocked: { organisationIdentifiers, thumbprints },
    begin: (blocked) => {
      organisationIdentifiers.clear();
      thumbprints.clear();
      for (const each of blocked.organisationIdentifiers) organisationIdentifiers.add(each);
      for (const each of blocked.thumbprints) thumbprints.add(each);
    },
    take,
  };
}

/** Gives the list to whoever decides about a call; if it is too old, auth is asked first. */
export function stopListOf(
  kept: Pick<KeptStopList, "blocked">,
  endings: Pick<Endings, "isFresh" | "catchUp">,
): StopList {
  return {
    current: () => (endings.isFresh() ? kept.blocked : endings.catchUp().then(() => kept.blocked)),
  };
}
