import { presentTable } from "../../terminal/present-table.ts";
import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";

/** Lists the applications of the TPP with this certificate. */
export async function applications(
  { sandbox }: CommandContext,
  { certificate }: { readonly certificate: string },
): Promise<CommandResult> {
  const list = await withCertificate(sandbox, certificate, (tpp) => tpp.applications.list());
  const rows = list.map((each) => [
    each.client_id,
    each.client_name,
    each.scopes.join(" "),
    each.redirect_uris.join(" "),
  ]);
  const table = presentTable([["client_id", "name", "scopes", "redirect URIs"], ...rows]);
  return { json: list, text: list.length === 0 ? "This TPP has no applications." : table };
}
