import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";

/** Lists where to read the bank's messages to each PSU, instead of on a phone. */
export function presentInboxes({ psus, auth }: Pick<SandboxDocument, "psus" | "auth">): string {
  return presentTable(
    psus.map(({ username, psuId }) => [username, `${auth.browser}/sandbox/inbox/${psuId}`]),
  );
}
