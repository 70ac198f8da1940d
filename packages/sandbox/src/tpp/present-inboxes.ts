import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";

/** Says where to read the bank's messages to each PSU, instead of on a phone. */
export function presentInboxes({
  psus,
  auth,
  login,
}: Pick<SandboxDocument, "psus" | "auth" | "login">): string {
  const inbox = `${auth.browser}/sandbox/inbox`;
  if (login !== null) return `  ${inbox}/ID, where ID is the PSU's id at the provider`;
  return presentTable(psus.map(({ username, psuId }) => [username, `${inbox}/${psuId}`]));
}
