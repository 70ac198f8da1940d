/**
 * Which TPPs and certificates the bank has blocked, as auth tells it. This folder owns knowing the list: it is loaded
 * whole once, and changed by each event. Who is put on it and why is auth's; that a blocked one is refused is decided in
 * `admission`.
 */
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { BlockedParties, Ending, EndingTaker } from "../endings/ending.ts";
import type { Endings } from "../endings/follow-endings.ts";

/** The stop list, as fresh as a token's description must be. */
export interface StopList {
  /**
   * What is blocked, known at most the freshness bound ago; a promise of it when auth had to be asked, which rejects with
   * `PrivateServiceUnavailable` when auth does not answer, `EndingsRefusal` when its answer cannot be believed; both
   * mean that nothing is known.
   */
  current(): BlockedParties | Promise<BlockedParties>;
}

/** A list that takes up what auth tells. */
export type KeptStopList = EndingTaker & { readonly blocked: BlockedParties };

/** Makes an empty list, which is worth nothing before its beginning. */
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

/** The list for whoever decides about a call; one who finds it too old asks auth first. */
export function stopListOf(
  kept: Pick<KeptStopList, "blocked">,
  endings: Pick<Endings, "isFresh" | "catchUp">,
): StopList {
  return {
    current: () => (endings.isFresh() ? kept.blocked : endings.catchUp().then(() => kept.blocked)),
  };
}
