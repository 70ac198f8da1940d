import type { Purpose } from "./certificate-extension.ts";
import type { IssuedCertificate } from "./issue-certificate.ts";
import {
  issuePrivateCertificate,
  issueServerCertificate,
  type MachineName,
  machineDays,
} from "./server-certificate.ts";
import type { TestCa } from "./test-ca.ts";
import { issueTppCertificate, type RevocationSources, tppIssuer } from "./tpp-certificate.ts";
import type { TppProfile } from "./tpp-profile.ts";
import type { ValidityDays } from "./validity.ts";

/** A certificate that a sandbox must have: its file name without ending, its issuer, and how to make it. */
export type WantedCertificate = {
  readonly name: string;
  readonly validity: ValidityDays;
  /** Revocation sources that it must name. */
  readonly sources?: RevocationSources | undefined;
  issuer(ca: TestCa): IssuedCertificate;
  issue(ca: TestCa, now: Date): Promise<IssuedCertificate>;
};

/** The certificates of the sandbox's own servers and callers. */
export const machineCertificates: readonly WantedCertificate[] = [
  publicServer("server/auth", "auth"),
  publicServer("server/resource", "resource"),
  publicServer("callback/callback", "callback"),
  bankServer("server/auth-bank", "auth"),
  bankServer("server/resource-bank", "resource"),
  bankCaller("bank/auth", "auth"),
  bankCaller("bank/resource", "resource"),
  bankCaller("bank/operator", "operator"),
];

/** The certificate of a TPP profile, as `tpp/<profile>`. */
export function tppCertificate(
  profile: TppProfile,
  sources: RevocationSources | undefined,
): WantedCertificate {
  return {
    name: `tpp/${profile.name}`,
    validity: profile.validity,
    sources,
    issuer: (ca) => tppIssuer(ca, profile),
    issue: (ca, now) => issueTppCertificate(ca, profile, { now, sources }),
  };
}

function publicServer(name: string, host: string): WantedCertificate {
  return {
    name,
    validity: machineDays,
    issuer: (ca) => ca.web,
    issue: (ca, now) => issueServerCertificate(ca, onLoopback(host), now),
  };
}

function bankServer(name: string, host: string): WantedCertificate {
  return privateCertificate(name, onLoopback(host), "serverAuth");
}

function bankCaller(name: string, caller: string): WantedCertificate {
  return privateCertificate(name, { commonName: caller, dnsNames: [caller], ipAddresses: [] }, "clientAuth");
}

function privateCertificate(name: string, machine: MachineName, purpose: Purpose): WantedCertificate {
  return {
    name,
    validity: machineDays,
    issuer: (ca) => ca.private,
    issue: (ca, now) => issuePrivateCertificate(ca, { ...machine, purposes: [purpose] }, now),
  };
}

function onLoopback(host: string): MachineName {
  return { commonName: host, dnsNames: [host, "localhost"], ipAddresses: ["127.0.0.1", "::1"] };
}
