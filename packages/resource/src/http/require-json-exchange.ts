import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";

const JSON_TYPE = "application/json";
const JSON_RANGES = [JSON_TYPE, "application/*", "*/*"];

/**
 * Checks the media types of a call: `Accept`, if sent, must admit JSON, and a body, if sent, must be JSON in UTF-8
 * (COBS 1.2.4, A-13). The standard wants `Content-Type` on every call; it is not enforced on a call without a body. Refuses
 * with `not_acceptable` or `media_type_unsupported`.
 */
export function requireJsonExchange(call: IncomingCall): void {
  const accept = call.header("accept");
  // An empty list counts as missing.
  if (accept && accept !== JSON_TYPE && !acceptsJson(accept))
    throw new EdgeRefusal("not_acceptable", "answers are only available as application/json", {
      path: "Accept",
    });
  const contentType = call.header("Content-Type") ?? "";
  if (contentType !== JSON_TYPE && hasBody(call) && !isJsonInUtf8(contentType))
    throw new EdgeRefusal("media_type_unsupported", "the body must be application/json in UTF-8", {
      path: "Content-Type",
    });
}

/** The most specific range in the list decides (RFC 9110 section 12.5.1). */
function acceptsJson(accept: string): boolean {
  const ranges = new Map(
    accept.split(",").map((range) => [mediaTypeOf(range), !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range)]),
  );
  const decisive = JSON_RANGES.find((range) => ranges.has(range));
  return decisive !== undefined && ranges.get(decisive) === true;
}

function isJsonInUtf8(contentType: string): boolean {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return mediaTypeOf(contentType) === JSON_TYPE && charset.toLowerCase() === "utf-8";
}

function mediaTypeOf(value: string): string {
  return (value.split(";")[0] ?? "").trim().toLowerCase();
}

function hasBody(call: IncomingCall): boolean {
  return call.header("transfer-encoding") !== undefined || Number(call.header("content-length") ?? 0) > 0;
}
