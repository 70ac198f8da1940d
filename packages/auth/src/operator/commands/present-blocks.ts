import { legibleLine } from "../legible.ts";
import { membersOf } from "./members.ts";

/** Formats the operator API's answers about blocks for people, one paragraph per block. */
export function presentBlocks(answer: unknown): string {
  const { blocks: listed } = membersOf(answer);
  const blocks: readonly unknown[] = Array.isArray(listed) ? listed : [answer];
  return blocks.length === 0 ? "Nothing is blocked." : blocks.map(presentOne).join("\n");
}

function presentOne(block: unknown): string {
  const members = membersOf(block);
  const text = (name: string) => legibleLine(String(members[name] ?? ""));
  const isTpp = members.kind === "tpp";
  const whom = isTpp ? `TPP ${text("organisationIdentifier")}` : `certificate ${text("thumbprint")}`;
  const released = text("releasedAt");
  const lines = [
    whom,
    `  blocked   ${text("blockedAt")} by ${text("blockedBy")}`,
    `  reason    ${text("reason")}`,
    ...(released === "" ? [] : [`  released  ${released} by ${text("releasedBy")}`]),
  ];
  return lines.join("\n");
}
