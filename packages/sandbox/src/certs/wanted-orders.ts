import { type CertificateOrder, orderOfProfile } from "../certificates/certificate-order.ts";
import type { Change, Defect } from "../certificates/defects/defect.ts";
import { defects, orderWithChange } from "../certificates/defects.ts";
import { type Oddity, oddities } from "../certificates/oddities.ts";
import { readTppProfiles } from "../certificates/read-tpp-profiles.ts";
import type { RevocationSources } from "../certificates/tpp-certificate.ts";
import type { TppProfile } from "../certificates/tpp-profile.ts";
import { CertsRefusal } from "./certs-refusal.ts";

/** What to issue, by names. */
export interface IssueRequest {
  readonly profiles: readonly string[];
  readonly defects: readonly string[];
  readonly oddities: readonly string[];
  /** Validity of right certificates in days; undefined means as the profile says. */
  readonly days: number | undefined;
  readonly sources: RevocationSources;
  readonly now: Date;
}

/** An order, and what is expected of its certificate. */
export interface WantedOrder {
  readonly order: CertificateOrder;
  /** What is wrong or odd, in a sentence; null if nothing is. */
  readonly about: string | null;
  /** The code that refuses it; null if it is accepted. */
  readonly code: string | null;
}

const usualProfile = "aisp-pisp";

/**
 * The orders of a request: each profile as it is, or with each requested defect and oddity. Without a profile, these apply to
 * the default one, and the certificates are named after the defect or oddity only. Refuses unknown names.
 */
export async function wantedOrders(request: IssueRequest): Promise<readonly WantedOrder[]> {
  const known = await readTppProfiles();
  const named = request.profiles.map((name) => requireNamed(known, name, "profile"));
  const changes = [
    ...request.defects.map((name) => changeTo(requireNamed(defects, name, "defect"))),
    ...request.oddities.map((name) => changeTo(requireNamed(oddities, name, "oddity"))),
  ];
  const orderOf = (profile: TppProfile) => orderOfProfile(withDays(profile, request.days), request);
  if (changes.length === 0) return named.map((profile) => unchanged(profile, orderOf(profile)));
  if (named.length > 0)
    return named.flatMap((profile) =>
      changes.map((change) => changed(orderOf(profile), change, `${profile.name}.`)),
    );
  const usual = requireNamed(known, usualProfile, "profile");
  return changes.map((change) => changed(orderOf(usual), change, ""));
}

interface ChangeWanted {
  readonly name: string;
  readonly change: Change;
  readonly about: string;
  readonly code: string | null;
}

function changeTo(named: Defect | Oddity): ChangeWanted {
  const { name, change } = named;
  return "wrong" in named
    ? { name, change, about: named.wrong, code: named.code }
    : { name, change, about: named.odd, code: null };
}

function unchanged(
  { wrong: about, expectedRefusal: code }: TppProfile,
  order: CertificateOrder,
): WantedOrder {
  return { order, about, code };
}

/** Applies a change. Authorities issued with the certificate are named after it, so that no two have the same name. */
function changed(right: CertificateOrder, wanted: ChangeWanted, prefix: string): WantedOrder {
  const { about, code } = wanted;
  return { order: orderWithChange(right, wanted, prefix + wanted.name), about, code };
}

function withDays(profile: TppProfile, days: number | undefined): TppProfile {
  if (days === undefined || profile.wrong !== null) return profile;
  return { ...profile, validity: { fromDays: -1, untilDays: days } };
}

function requireNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  name: string,
  what: string,
): Named {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new CertsRefusal(`there is no ${what} ${name}`, "See what there is with: npm run certs -- list");
}
