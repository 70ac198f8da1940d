import { defects } from "../../certificates/defects.ts";
import { oddities } from "../../certificates/oddities.ts";
import { readTppProfiles } from "../../certificates/read-tpp-profiles.ts";
import { presentTable } from "../../terminal/present-table.ts";
import type { CommandContext, CommandResult } from "../command.ts";

/** `list`: everything that can be issued, what is wrong with it, and the code that refuses it. */
export async function list(_context: CommandContext): Promise<CommandResult> {
  const profiles = await readTppProfiles();
  const text = [
    section(
      "Profiles of certs/",
      ["profile", "refused with", "what it is"],
      profiles.map(({ name, description, expectedRefusal }) => [name, expectedRefusal ?? "", description]),
    ),
    section(
      "Defects: a valid certificate with one thing wrong",
      ["--defect", "refused with", "what is wrong"],
      defects.map(({ name, code, wrong, carriedBy }) => [name, code, wrong + handshakeNote(carriedBy)]),
    ),
    section(
      "Oddities: unusual, but valid and accepted",
      ["--oddity", "what is odd"],
      oddities.map(({ name, odd }) => [name, odd]),
    ),
  ];
  const json = {
    profiles: profiles.map(({ name, description, wrong, expectedRefusal }) => ({
      name,
      description,
      wrong,
      code: expectedRefusal,
    })),
    defects: defects.map(({ change: _change, ...defect }) => defect),
    oddities: oddities.map(({ change: _change, ...oddity }) => oddity),
  };
  return { json, text: text.join("\n") };
}

function section(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${title}\n\n${presentTable([columns, ...rows])}\n`;
}

function handshakeNote(carriedBy: "tls" | "header"): string {
  return carriedBy === "tls" ? "" : " (TLS ends the handshake: a header can carry it)";
}
