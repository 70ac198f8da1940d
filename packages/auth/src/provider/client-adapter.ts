import type { Adapter } from "oidc-provider";
import type { ApplicationStore } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import { clientOf } from "./application-client.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** Finds clients among the applications; nothing is cached, so that an end is seen by every process at once. */
export function createClientAdapter(applications: ApplicationStore): Adapter {
  return {
    ...UNUSED_ADAPTER,
    async find(text) {
      const id = findApplicationId(text);
      const found = id === undefined ? undefined : await applications.findCredentials(id);
      return found === undefined ? undefined : clientOf(found);
    },
  };
}
