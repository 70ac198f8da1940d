import { CommandRefusal, describeRefusal } from "./command-refusal.ts";
import type { CommandResult } from "./commands/command-run.ts";
import type { OperatorClient, OperatorClients } from "./operator-client.ts";

type Accept = "application/json" | "text/plain";

interface Answered {
  readonly service: string;
  readonly answer: string;
}

/** What a service said: its answer, or why it gave none. */
type Said = Answered | { readonly refusal: CommandRefusal };

/**
 * `refusal`: why a certificate was refused, check by check. Each service keeps its own refusals, and nobody tells from a
 * request id whose it is: both are asked. Refuses when none of them knows it; what the other said is a warning then.
 */
export async function tellRefusal(
  { auth, resource }: OperatorClients,
  requestId: string,
  accept: Accept,
): Promise<CommandResult> {
  const path = `/operator/refusals/${encodeURIComponent(requestId)}`;
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
    const told: { readonly refusals: readonly object[] } = JSON.parse(answer);
    return told.refusals.map((refusal) => ({ service, ...refusal }));
  });
  return JSON.stringify({ refusals });
}

function notFound(requestId: string, askedBoth: boolean): CommandRefusal {
  const who = askedBoth ? "neither auth nor resource keeps" : "auth does not keep";
  const hint = askedBoth
    ? "They are kept a moment after the call: the newest 10,000 of 30 days, and of a flood only a part."
    : "Resource was not asked: RESOURCE_BANK_URL is not set.";
  const message = `${who} a refused certificate under ${JSON.stringify(requestId)}`;
  return new CommandRefusal("not_found", message, { hint });
}
