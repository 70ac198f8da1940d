import type { PrivateClient } from "@cobs/service-edge";
import type { EndingSource } from "./ending.ts";
import { EndingsRefusal } from "./endings-refusal.ts";
import { parseBeginning, parseEndings } from "./parse-endings.ts";

const JSON_WANTED = { accept: "application/json" };

/** Asks auth's bank listener: the stop list with its position, and the events after a place. */
export function endingsAtAuth(client: Pick<PrivateClient, "get">): EndingSource {
  return {
    begin: async () => {
      const { status, body } = await client.get("/stop-list", JSON_WANTED);
      if (status !== 200) throw new EndingsRefusal("stop_list_status", `answered with ${status}`);
      return parseBeginning(body);
    },
    after: async ({ position, mark }, waitMilliseconds, signal) => {
      const marked = mark === undefined ? "" : `&mark=${encodeURIComponent(mark)}`;
      const path = `/events?after=${position}${marked}&wait=${waitMilliseconds}`;
      const { status, body } = await client.get(path, JSON_WANTED, signal);
      if (status === 410) return undefined;
      if (status !== 200) throw new EndingsRefusal("events_status", `answered with ${status}`);
      return parseEndings(body);
    },
  };
}
