import { type CertificateOrder, orderOfProfile } from "../certificates/certificate-order.ts";
import type { Change, Defect } from "../certificates/defects/defect.ts";
import { defects, orderWithChange } from "../certificates/defects.ts";
import { type Oddity, oddities } from "../certificates/oddities.ts";
import { readTppProfiles } from "../certificates/read-tpp-profiles.ts";
import type { RevocationSources } from "../certificates/tpp-certificate.ts";
import type { TppProfile } from "../certificates/tpp-profile.ts";
import { CertsRefusal } from "./certs-refusal.ts";

/** What somebody wants to have issued, by name. */
export interface IssueRequest {
  readonly profiles: readonly string[];
  readonly defects: readonly string[];
  readonly oddities: readonly string[];
  /** How long right certificates are valid; as the profile says when undefined. */
  readonly days: number | undefined;
  readonly sources: RevocationSources;
  readonly now: Date;
}

/** An order with what is expected of the certificate. */
export interface WantedOrder {
  readonly order: CertificateOrder;
  /** What is wrong or odd, in a sentence; null when nothing is. */
  readonly about: string | null;
  /** The code that refuses it; null when it is accepted. */
  readonly code: string | null;
}

const usualProfile = "aisp-pisp";

/**
 * The orders of a request: each profile as it is, or each with every requested defect and oddity; without a
 * profile these are made of the usual one, and named after themselves alone. Refuses names that do not exist.
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

/** The authorities that are ordered along are named after the certificate, so that no two of them are one. */
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
