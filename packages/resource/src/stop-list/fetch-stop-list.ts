import { parseCertificateThumbprint, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PrivateClient } from "@cobs/service-edge";
import { type BlockedParties, StopListRefusal } from "./stop-list.ts";

/** Makes the question to auth's bank listener; an answer that is the same text as the last one is read once. */
export function stopListAtAuth(client: PrivateClient): () => Promise<BlockedParties> {
  let last: { readonly text: string; readonly blocked: BlockedParties } | undefined;
  return async () => {
    const { status, body: text } = await client.get("/stop-list", { accept: "application/json" });
    if (status !== 200) throw new StopListRefusal("stop_list_status", `answered with ${status}`);
    if (last?.text !== text) last = { text, blocked: parseStopList(text) };
    return last.blocked;
  };
}

/** Reads `{ organisationIdentifiers, thumbprints }`; refuses with `stop_list_malformed` what is not wholly readable. */
export function parseStopList(text: string): BlockedParties {
  try {
    const value: unknown = JSON.parse(text);
    return {
      organisationIdentifiers: new Set(
        listIn(value, "organisationIdentifiers").map(parseOrganisationIdentifier),
      ),
      thumbprints: new Set(listIn(value, "thumbprints").map(parseThumbprint)),
    };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : "unreadable";
    throw new StopListRefusal("stop_list_malformed", detail, { cause });
  }
}

function parseThumbprint(value: unknown) {
  const thumbprint = parseCertificateThumbprint(value);
  if (thumbprint === undefined) throw new TypeError("a thumbprint is none");
  return thumbprint;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const members = new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  const list = members.get(name);
  if (Array.isArray(list)) return list;
  throw new TypeError(`${name} is not a list`);
}
