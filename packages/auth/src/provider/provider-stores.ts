import type { Database } from "@cobs/service-edge";
import type { AdapterPayload } from "oidc-provider";
import type { OpenEphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { createTokenStore } from "../tokens/token-store-postgres.ts";
import { createFirstAnswers } from "./first-answers.ts";
import { createPushedRequests } from "./pushed-requests.ts";
import { createUsedMarks } from "./used-marks-postgres.ts";

/** The stores of the provider's own records. */
export type ProviderStores = ReturnType<typeof openProviderStores>;

/** Opens the stores of the provider's own records. */
export function openProviderStores({
  database,
  openEphemeralStore,
}: {
  readonly database: Database;
  readonly openEphemeralStore: OpenEphemeralStore;
}) {
  const usedMarks = createUsedMarks(database);
  return {
    tokens: createTokenStore<AdapterPayload>(database),
    usedMarks,
    ephemeral: openEphemeralStore<AdapterPayload>(),
    firstAnswers: createFirstAnswers(openEphemeralStore()),
    pushedRequests: createPushedRequests<AdapterPayload>(openEphemeralStore(), usedMarks),
  };
}
