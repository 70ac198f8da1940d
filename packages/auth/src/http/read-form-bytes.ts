import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "@cobs/service-edge";

/** Most bytes of a form for the OAuth provider, whose own limit this is. */
const LIMIT_BYTES = 57_344;
const FORM = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Reads the whole body of a form, bounded. Refuses with `media_type_unsupported` or `body_too_large`. */
export async function readFormBytes(request: IncomingMessage): Promise<Buffer> {
  if (!FORM.test(request.headers["content-type"] ?? "")) {
    throw new EdgeRefusal("media_type_unsupported", "the body must be application/x-www-form-urlencoded", {
      path: "Content-Type",
    });
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > LIMIT_BYTES) {
      throw new EdgeRefusal("body_too_large", `the body is larger than ${LIMIT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
