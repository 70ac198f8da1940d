/** The sandbox's inbox on the browser listener, as a page for people and as data for the TPP command line. */
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { EdgeRefusal, type IncomingCall, type Route } from "@cobs/service-edge";
import type { SandboxInbox } from "../../delivery/sandbox-inbox-postgres.ts";
import { type AnswerPageParts, answerPage } from "./answer-page.ts";

/** Path of the page with a PSU's messages. */
export function inboxPath(psu: string): string {
  return `/sandbox/inbox/${encodeURIComponent(psu)}`;
}

/**
 * Serves the messages of every PSU to everybody: these are demo PSUs, whose passwords are public too. Outside the
 * sandbox there is no such route.
 */
export function createSandboxInboxRoutes(
  parts: AnswerPageParts,
  inbox: Pick<SandboxInbox, "read">,
): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/sandbox/inbox/:psu",
      handle: (call) =>
        answerPage(parts, call, async () => {
          const messages = await inbox.read(psuOf(call));
          return {
            show: "page",
            name: "inbox",
            path: call.path,
            render: (pages, frame) => pages.inbox(frame, { messages }),
          };
        }),
    },
    {
      method: "GET",
      path: "/sandbox/messages/:psu",
      handle: async (call) => ({ status: 200, json: { messages: await inbox.read(psuOf(call)) } }),
    },
  ];
}

function psuOf({ parameters }: IncomingCall): PsuId {
  try {
    return parsePsuId(parameters.psu);
  } catch {
    throw new EdgeRefusal("route_unknown", "there is nothing at this path");
  }
}
