import type { ApplicationId, ApplicationType, Scope, SecurityProfile } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { RegisteredApplication } from "./application.ts";

/** An application as people of the bank see it: what it is, and nothing that it proves itself with. */
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
  /** Those that have not ended; one whose time is over until that is written, within seconds. */
  readonly activeConsents: number;
}

/** Which applications are looked for, and which page of them. */
export interface ApplicationQuestion extends PageQuestion<ApplicationId> {
  readonly tpp: OrganisationIdentifier | undefined;
}

/** The applications of all TPPs, oldest first. */
export interface ApplicationSearch {
  /** Those that are registered now; undefined when there never was one `after`. */
  list(question: ApplicationQuestion): Promise<readonly ApplicationFacts[] | undefined>;
  /** Also one that was deleted: its data are gone, its owner and dates are left. */
  find(id: ApplicationId): Promise<ApplicationFacts | undefined>;
}
