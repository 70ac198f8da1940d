import { legibleLine } from "../legible.ts";

/** The answers of the operator API about blocks, for people: one block in a paragraph. */
export function presentBlocks(answer: unknown): string {
  const blocks = hasBlocks(answer) ? answer.blocks : [answer];
  if (blocks.length === 0) return "Nothing is blocked.";
  return blocks.map(presentOne).join("\n");
}

function hasBlocks(answer: unknown): answer is { readonly blocks: readonly unknown[] } {
  return typeof answer === "object" && answer !== null && "blocks" in answer && Array.isArray(answer.blocks);
}

function presentOne(block: unknown): string {
  const members = new Map<string, unknown>(Object.entries(block ?? {}));
  const text = (name: string) => legibleLine(String(members.get(name) ?? ""));
  const isTpp = members.get("kind") === "organisation";
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
