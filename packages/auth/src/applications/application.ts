import type { Application } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";

/** An application as this server stores it: what the TPP registered, and its owner, without the secret. */
export type RegisteredApplication = Application & {
  /** The TPP that owns it, whichever certificate the TPP presents. */
  readonly owner: OrganisationIdentifier;
  /** Set only for the sandbox's ready-made application; null means the configured lifetime. */
  readonly accessTokenLifetimeSeconds: number | null;
  /** Identifies this state: new after every change, a new secret included, and never reused. */
  readonly version: string;
};
