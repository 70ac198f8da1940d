import type { CommandResult } from "./commands/command-run.ts";
import { membersOf } from "./commands/members.ts";
import type { OperatorClient } from "./operator-client.ts";

const KEYS = "/operator/keys";

function presentOne(key: unknown): string {
  const members = membersOf(key);
  const text = (name: string) => String(members.get(name) ?? "");
  const by = (name: string) => (text(name) === "" ? "" : ` by ${text(name)}`);
  const lines = [
    `${text("use")} key ${text("kid")}: ${text("state")}`,
    `  announced ${text("announcedAt")}${by("madeBy")}`,
    `  signs     from ${text("signsFrom")}${text("retiresAt") === "" ? "" : ` until ${text("retiresAt")}`}`,
    ...(text("endsAt") === "" ? [] : [`  ends      ${text("endsAt")}`]),
    ...(text("droppedBy") === "" ? [] : [`  dropped  ${by("droppedBy")}`]),
  ];
  return lines.join("\n");
}

/** `keys list`: those in use, or all that there ever were. */
export async function listKeys(call: OperatorClient, history: boolean): Promise<CommandResult> {
  const answer = membersOf(JSON.parse(await call({ method: "GET", path: KEYS }))).get("keys");
  const all: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const keys = history ? all : all.filter((key) => membersOf(key).get("state") !== "gone");
  return { json: JSON.stringify({ keys }), text: keys.map(presentOne).join("\n") };
}

/** `keys rotate`: another key is announced, and signs when everybody knows it. */
export async function rotateKey(call: OperatorClient, use: string): Promise<CommandResult> {
  const json = await call({ method: "POST", path: KEYS, body: { use } });
  return { json, text: `Announced:\n${presentOne(JSON.parse(json))}` };
}

/** `keys drop`: nothing that the key has signed is believed any more. */
export async function dropKey(call: OperatorClient, kid: string): Promise<CommandResult> {
  const json = await call({ method: "DELETE", path: `${KEYS}/${encodeURIComponent(kid)}` });
  return { json, text: `Dropped:\n${presentOne(JSON.parse(json))}` };
}
