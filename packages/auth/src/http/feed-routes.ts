/** The routes of the bank listener for services that cache what auth told them: what has ended, and who is blocked. */
import {
  type Answer,
  type BankCallers,
  type IncomingCall,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import { awaitEvents, type FeedQuestion, MAX_WAIT_MILLISECONDS } from "../feed/await-events.ts";
import type { Feed } from "../feed/feed.ts";
import type { FeedWake } from "../feed/feed-wake.ts";
import type { StopList, StopListKey } from "../tpp/stop-list.ts";

/** What the feed routes need. */
export interface FeedParts {
  readonly callers: BankCallers;
  readonly feed: Feed;
  readonly wake: FeedWake;
  readonly stopList: Pick<StopList, "blockedKeys">;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOLE_NUMBER = /^(0|[1-9][0-9]{0,14})$/;

/** Serves `/events` and `/stop-list` to callers with the right `feed`. */
export function createFeedRoutes({ callers, feed, wake, stopList }: FeedParts): readonly Route[] {
  const route = (path: string, serve: (call: IncomingCall) => Promise<Answer>): Route => ({
    method: "GET",
    path,
    handle: async (call) => {
      requireBankCaller(callers, call.presentedCertificate, "feed");
      return serve(call);
    },
  });
  return [
    route("/events", async ({ query }) => {
      const question = readQuestion(query);
      return question === undefined ? MALFORMED : serveEvents(feed, wake, question);
    }),
    route("/stop-list", () => serveStopList(stopList)),
  ];
}

const MALFORMED: Answer = {
  status: 400,
  json: {
    error: "invalid_request",
    error_description: `after must be a position, mark the mark of its event, and wait at most ${MAX_WAIT_MILLISECONDS} milliseconds`,
  },
};

/** Tells the reader to drop its cache, and to start again with the stop list. */
const GONE: Answer = {
  status: 410,
  json: {
    error: "position_gone",
    error_description: "the feed cannot continue from this position: read the stop list and start again",
  },
};

function readQuestion(query: URLSearchParams): FeedQuestion | undefined {
  const position = numberIn(query, "after");
  const wait = query.has("wait") ? numberIn(query, "wait") : 0;
  if (position === undefined || wait === undefined || wait > MAX_WAIT_MILLISECONDS) return undefined;
  const mark = textIn(query, "mark", UUID);
  if (query.has("mark") && mark === undefined) return undefined;
  return { after: { position, mark }, waitMilliseconds: wait };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = textIn(query, name, WHOLE_NUMBER);
  return text === undefined ? undefined : Number(text);
}

function textIn(query: URLSearchParams, name: string, form: RegExp): string | undefined {
  const [text, ...more] = query.getAll(name);
  return text !== undefined && more.length === 0 && form.test(text) ? text : undefined;
}

async function serveEvents(feed: Feed, wake: FeedWake, question: FeedQuestion): Promise<Answer> {
  const batch = await awaitEvents(feed, wake, question);
  if (batch === undefined) return { ...GONE, facts: { after: question.after.position } };
  const { head, events } = batch;
  return { status: 200, json: { head, events } };
}

/** Answers what is blocked now, and the feed position from which to follow changes. */
async function serveStopList(stopList: FeedParts["stopList"]): Promise<Answer> {
  const { position, mark, keys } = await stopList.blockedKeys();
  const keysOf = (kind: StopListKey["kind"]) =>
    keys.filter((each) => each.kind === kind).map(({ key }) => key);
  const json = { organisationIdentifiers: keysOf("organisation"), thumbprints: keysOf("certificate") };
  return { status: 200, json: { position, mark, ...json } };
}
