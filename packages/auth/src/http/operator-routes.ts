/** The routes of the bank listener for people of the bank: the stop list, the keys, and why a certificate was refused. */
import type { Answer, AnswerRefusals, BankCallers, Route } from "@cobs/service-edge";
import type { OperatorAct } from "../audit/operator-act.ts";
import { parseBlockOrder, parseHistoryLimit, parseStopListKey } from "../operator/block-order.ts";
import { OperatorRefusal } from "../operator/operator-refusal.ts";
import { presentBlock } from "../operator/present-block.ts";
import { type Block, MAX_ACTIVE_BLOCKS, type StopList, type StopListKey } from "../tpp/stop-list.ts";
import { createKeyRoutes, type KeyParts } from "./key-routes.ts";
import { createOperatorRoute } from "./operator-route.ts";

/** What the operator's routes serve from. */
export interface OperatorParts extends KeyParts {
  readonly callers: BankCallers;
  readonly stopList: StopList;
  readonly explainRefusals: AnswerRefusals;
}

const STOP_LIST = "/operator/stop-list";

/** Serves `/operator/…` to callers with the right `operator`; who blocks is known by the name in the certificate. */
export function createOperatorRoutes({ callers, ...parts }: OperatorParts): readonly Route[] {
  const { stopList, explainRefusals } = parts;
  const route = createOperatorRoute(callers);
  return [
    route("GET", STOP_LIST, async () => listed(await stopList.active())),
    route("GET", `${STOP_LIST}/history`, async ({ query }) =>
      listed(await stopList.history(parseHistoryLimit(query.get("limit")))),
    ),
    route("POST", STOP_LIST, (call, act) => block(stopList, call.body, act)),
    ...(["organisation", "certificate"] as const).map((kind) =>
      route("DELETE", `${STOP_LIST}/${kind}/:key`, ({ parameters }, act) =>
        release(stopList, parseStopListKey(kind, parameters.key), act),
      ),
    ),
    ...createKeyRoutes(route, parts),
    route("GET", "/operator/refusals/:requestId", explainRefusals),
  ];
}

function listed(blocks: readonly Block[]): Answer {
  return { status: 200, json: { blocks: blocks.map(presentBlock) } };
}

/** 201 with a new block, 200 with the one that was in force already. */
async function block(stopList: StopList, body: unknown, by: OperatorAct): Promise<Answer> {
  const order = parseBlockOrder(body);
  const outcome = await stopList.block({ ...order, by });
  if (outcome.result === "list_full")
    throw new OperatorRefusal("list_full", `it holds ${MAX_ACTIVE_BLOCKS} blocks; release some first`);
  const facts = { [outcome.result]: order.key };
  return { status: outcome.result === "blocked" ? 201 : 200, json: presentBlock(outcome.block), facts };
}

/** 200 with the block that ended, and whether the register still blocks. */
async function release(stopList: StopList, key: StopListKey, by: OperatorAct): Promise<Answer> {
  const released = await stopList.release({ ...key, by });
  const byRegister = (await stopList.findActive({ ...key, by: "register" })) !== undefined;
  if (released !== undefined) {
    const json = { ...presentBlock(released), stillBlockedByRegister: byRegister };
    return { status: 200, json, facts: { released: key.key } };
  }
  if (byRegister)
    throw new OperatorRefusal("blocked_by_register", "its check releases it, or TPP_REGISTER_EXEMPT does");
  throw new OperatorRefusal("not_blocked", "there is no block in force under this key");
}
