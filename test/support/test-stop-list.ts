import type { TestFeed } from "./test-feed.ts";

/** The stop list of an authorization server, written by a test. Each change adds an event to the feed. */
export interface TestStopList {
  /** Blocks a TPP by its organisation identifier. */
  block(organisationIdentifier: string): void;
  release(organisationIdentifier: string): void;
  blockCertificate(thumbprint: string): void;
  releaseCertificate(thumbprint: string): void;
  /** The whole list in its wire form, with the position in the feed up to which it is true. */
  read(): unknown;
}

/** Starts an empty list. */
export function startTestStopList(feed: TestFeed): TestStopList {
  const organisationIdentifiers = new Set<string>();
  const thumbprints = new Set<string>();
  return {
    block: (organisationIdentifier) => {
      organisationIdentifiers.add(organisationIdentifier);
      feed.tell("tpp_blocked", organisationIdentifier);
    },
    release: (organisationIdentifier) => {
      organisationIdentifiers.delete(organisationIdentifier);
      feed.tell("tpp_released", organisationIdentifier);
    },
    blockCertificate: (thumbprint) => {
      thumbprints.add(thumbprint);
      feed.tell("certificate_blocked", thumbprint);
    },
    releaseCertificate: (thumbprint) => {
      thumbprints.delete(thumbprint);
      feed.tell("certificate_released", thumbprint);
    },
    read: () => ({
      position: feed.head,
      mark: feed.mark,
      organisationIdentifiers: [...organisationIdentifiers],
      thumbprints: [...thumbprints],
    }),
  };
}
