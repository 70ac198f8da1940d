import type { Application } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";

/** An application as this server keeps it: what the TPP registered, and whose it is. Its secret is not part of it. */
export type RegisteredApplication = Application & {
  /** The TPP that owns it, whichever certificate it presents at the moment. */
  readonly owner: OrganisationIdentifier;
  /** Set for the sandbox's ready application alone; null leaves the lifetime to configuration. */
  readonly accessTokenLifetimeSeconds: number | null;
  /** Names this state of it: another one after every change, a new secret included, and never the same again. */
  readonly version: string;
};
