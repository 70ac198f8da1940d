import type { ApplicationId, ApplicationType, Scope, SecurityProfile } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { RegisteredApplication } from "./application.ts";

/** An application as the bank's staff see it, without its secrets and keys. */
export interface ApplicationFacts {
  readonly id: ApplicationId;
  readonly owner: OrganisationIdentifier;
  readonly clientName: string;
  readonly applicationType: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly contact: string | null;
  readonly tokenEndpointAuthMethod: RegisteredApplication["tokenEndpointAuthMethod"];
  readonly securityProfile: SecurityProfile;
  readonly createdAt: Date;
  /** Undefined while it is registered. */
  readonly deletedAt: Date | undefined;
  /** How many have not ended; an expired one counts until its end is written, within seconds. */
  readonly activeConsents: number;
}

/** Which applications to find, and which page of them. */
export interface ApplicationQuestion extends PageQuestion<ApplicationId> {
  readonly tpp: OrganisationIdentifier | undefined;
}

/** The applications of all TPPs, oldest first. */
export interface ApplicationSearch {
  /** Lists registered applications; undefined when `after` never existed. */
  list(question: ApplicationQuestion): Promise<readonly ApplicationFacts[] | undefined>;
  /** Finds also a deleted application: its data are gone, its owner and dates remain. */
  find(id: ApplicationId): Promise<ApplicationFacts | undefined>;
}
