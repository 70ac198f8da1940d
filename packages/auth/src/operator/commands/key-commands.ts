import { Argument, type Command } from "commander";
import { KEY_USES } from "../../keys/server-key.ts";
import type { OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, REASON_OPTION, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { membersOf, parseAnswer } from "./members.ts";

const KEYS = "/operator/keys";

/** Adds `keys …`: keys that this server makes for itself. */
export function addKeys(keys: Command, run: RunCommand): void {
  keys
    .command("list")
    .description("list keys that are announced, signing or retired; secrets are never shown")
    .option("--history", "include keys that are gone")
    .option(...JSON_OPTION)
    .action(({ history = false, json = false }: Json & { readonly history?: boolean }) =>
      run(({ auth }) => listKeys(auth, history), json),
    );
  keys
    .command("rotate")
    .addArgument(new Argument("[use]", "which key gets a successor").choices(KEY_USES).default("signing"))
    .description(
      "announce a new key, which takes over automatically once every reader has had time to fetch it",
    )
    .option(...JSON_OPTION)
    .action((use: string, { json = false }: Json) => run(({ auth }) => rotateKey(auth, use), json));
  keys
    .command("drop")
    .argument("<kid>", "id of the key, from `keys list`")
    .description("drop a compromised key at once: nothing that it signed is accepted from then on")
    .requiredOption(...REASON_OPTION)
    .option(...JSON_OPTION)
    .action((kid: string, { json = false, reason }: Json & { readonly reason: string }) =>
      run(({ auth }) => dropKey(auth, kid, reason), json),
    );
}

function presentOne(key: unknown): string {
  const members = membersOf(key);
  const text = (name: string) => String(members[name] ?? "");
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

/** Lists the keys in use, or with `history` all keys there ever were. */
async function listKeys(call: OperatorClient, history: boolean): Promise<CommandResult> {
  const { keys: listed } = parseAnswer(await call({ method: "GET", path: KEYS }));
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const keys = history ? all : all.filter((key) => membersOf(key).state !== "gone");
  return { json: JSON.stringify({ keys }), text: keys.map(presentOne).join("\n") };
}

async function rotateKey(call: OperatorClient, use: string): Promise<CommandResult> {
  const json = await call({ method: "POST", path: KEYS, body: { use } });
  return { json, text: `Announced:\n${presentOne(parseAnswer(json))}` };
}

async function dropKey(call: OperatorClient, kid: string, reason: string): Promise<CommandResult> {
  const json = await call({ method: "POST", path: `${KEYS}/${idSegment(kid)}/drop`, body: { reason } });
  return { json, text: `Dropped:\n${presentOne(parseAnswer(json))}` };
}
