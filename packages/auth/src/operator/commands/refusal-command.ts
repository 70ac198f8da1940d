import type { Command } from "commander";
import { CommandRefusal, describeRefusal } from "../command-refusal.ts";
import type { OperatorClient, OperatorClients } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { membersOf, parseAnswer } from "./members.ts";

type Accept = "application/json" | "text/plain";

interface Answered {
  readonly service: string;
  readonly answer: string;
}

/** A service's answer, or its refusal to give one. */
type Said = Answered | { readonly refusal: CommandRefusal };

/** Adds `refusal <request-id>`: why a certificate was refused. */
export function addRefusal(refusal: Command, run: RunCommand): void {
  refusal
    .argument(
      "<request-id>",
      "X-Request-ID of the refused call at auth or resource, the server's or the TPP's",
    )
    .description("show why the certificate of a call was refused, check by check")
    .option(...JSON_OPTION)
    .action((requestId: string, { json = false }: Json) =>
      run((clients) => tellRefusal(clients, requestId, json ? "application/json" : "text/plain"), json),
    );
}

/**
 * Asks both services, because each keeps its own refusals and a request id does not tell whose it is. Refuses when neither knows
 * the id; when one does, the other's failure to answer is a warning.
 */
async function tellRefusal(
  { auth, resource }: OperatorClients,
  requestId: string,
  accept: Accept,
): Promise<CommandResult> {
  const path = `/operator/refusals/${idSegment(requestId)}`;
  const said = await Promise.all([
    ask("auth", auth, { path, accept }),
    ...(resource === undefined ? [] : [ask("resource", resource, { path, accept })]),
  ]);
  const found = said.flatMap((each) => ("answer" in each ? [each] : []));
  const refusals = said.flatMap((each) => ("refusal" in each ? [each.refusal] : []));
  const silent = refusals.filter(({ code }) => code !== "not_found");
  if (found.length === 0) throw silent[0] ?? notFound(requestId, resource !== undefined);
  const printed = accept === "text/plain" ? found.map(presentText).join("\n\n") : presentJson(found);
  const warning = silent.map(describeRefusal).join("\n");
  return { json: printed, text: printed, ...(warning !== "" && { warning }) };
}

async function ask(
  service: string,
  call: OperatorClient,
  { path, accept }: { readonly path: string; readonly accept: Accept },
): Promise<Said> {
  try {
    return { service, answer: await call({ method: "GET", path, accept }) };
  } catch (error) {
    if (error instanceof CommandRefusal) return { refusal: error };
    throw error;
  }
}

function presentText({ service, answer }: Answered): string {
  return `At ${service}:\n\n${answer.trimEnd()}`;
}

function presentJson(found: readonly Answered[]): string {
  const refusals = found.flatMap(({ service, answer }) => {
    const { refusals } = parseAnswer(answer);
    return Array.isArray(refusals) ? refusals.map((refusal) => ({ service, ...membersOf(refusal) })) : [];
  });
  return JSON.stringify({ refusals });
}

function notFound(requestId: string, askedBoth: boolean): CommandRefusal {
  const who = askedBoth ? "neither auth nor resource has" : "auth does not have";
  const hint = askedBoth
    ? "They are stored a moment after the call and kept for 30 days: the newest 10,000, and only some of a flood. For other refusals, find the call in the log by requestId or callerRequestId."
    : "Resource was not asked: RESOURCE_BANK_URL is not set.";
  const message = `${who} a refused certificate for request ${JSON.stringify(requestId)}`;
  return new CommandRefusal("not_found", message, { hint });
}
