import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";

/** Where the bank's messages to each PSU are, in place of a phone. */
export function presentInboxes({ psus, auth }: Pick<SandboxDocument, "psus" | "auth">): string {
  return presentTable(
    psus.map(({ username, psuId }) => [username, `${auth.browser}/sandbox/inbox/${psuId}`]),
  );
}
