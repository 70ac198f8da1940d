import type { Answer, PageQuestion, Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { SEQUENCE } from "../../operator-api/parameter-kinds.ts";
import { pageOf, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import { presentBlock } from "../../operator-api/present-block.ts";
import { parseStopListOrder } from "../../operator-api/stop-list-order.ts";
import { type Block, MAX_ACTIVE_BLOCKS, type StopList } from "../../tpp/stop-list.ts";
import { listed } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

const STOP_LIST = "/operator/stop-list";

/** Serves `/operator/stop-list`: listing present and past blocks, blocking, releasing. */
export function createStopListOrderRoutes(route: OperatorRoute, stopList: StopList): readonly Route[] {
  return [
    route("GET", STOP_LIST, ({ query }) => list(query, (page) => stopList.active(page))),
    route("GET", `${STOP_LIST}/history`, ({ query }) => list(query, (page) => stopList.history(page))),
    route("POST", STOP_LIST, (call, act) => block(stopList, call.body, act)),
    route("POST", `${STOP_LIST}/release`, (call, act) => release(stopList, call.body, act)),
  ];
}

async function list(
  query: URLSearchParams,
  read: (page: PageQuestion<Block["id"]>) => Promise<readonly Block[]>,
): Promise<Answer> {
  const { after, limit } = parseQuery(query, (parameter) => readPage(parameter, SEQUENCE));
  const blocks = await read({ after, limit: limit + 1 });
  return listed(
    "blocks",
    pageOf(blocks, limit, ({ id }) => id),
    presentBlock,
  );
}

/** Answers 201 with a new block, 200 with one already in force. */
async function block(stopList: StopList, body: unknown, by: OperatorAct): Promise<Answer> {
  const order = parseStopListOrder(body);
  const outcome = await stopList.block({ ...order, by });
  if (outcome.result === "list_full")
    throw new OperatorRefusal("list_full", `it holds ${MAX_ACTIVE_BLOCKS} blocks; release some first`);
  const { result } = outcome;
  const json = { ...presentBlock(outcome.block), result };
  return { status: result === "blocked" ? 201 : 200, json, facts: { [result]: order.key } };
}

/** Answers 200 with the released block, and whether the register still blocks. */
async function release(stopList: StopList, body: unknown, act: OperatorAct): Promise<Answer> {
  const { reason: note, ...key } = parseStopListOrder(body);
  const released = await stopList.release({ ...key, by: { ...act, note } });
  const byRegister = (await stopList.findActive({ ...key, by: "register" })) !== undefined;
  if (released !== undefined) {
    const json = { ...presentBlock(released), stillBlockedByRegister: byRegister };
    return { status: 200, json, facts: { released: key.key } };
  }
  if (byRegister)
    throw new OperatorRefusal(
      "blocked_by_register",
      "a check of the register releases it, or the configuration, such as TPP_REGISTER_EXEMPT",
    );
  throw new OperatorRefusal("not_blocked", "this TPP or certificate has no block in force");
}
