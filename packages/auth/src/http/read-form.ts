import type { IncomingMessage } from "node:http";
import {
  EdgeRefusal,
  gatherOctets,
  readUtf8Form,
  requireChunkedAlone,
  singleHeader,
} from "@cobs/service-edge";

/** Most bytes of a form, as received and as rewritten: the OAuth provider's own limit. */
const LIMIT_BYTES = 57_344;
/** Far more than any OAuth request has, and fewer than a parser's limit, beyond which it drops fields. */
const LIMIT_FIELDS = 100;
const FORM = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

function tooLarge(): EdgeRefusal {
  const message = `the body is larger than ${LIMIT_BYTES} bytes, as sent or when form-encoded`;
  return new EdgeRefusal("body_too_large", message);
}

/**
 * Encodes a form for the provider. The result may be three times as long as what came, which need not have encoded
 * everything; refuses too many bytes with `body_too_large`, where the provider would call them unreadable.
 */
export function writeForm(form: URLSearchParams): Buffer {
  const body = Buffer.from(form.toString());
  if (body.length > LIMIT_BYTES) throw tooLarge();
  return body;
}

// Event listeners cost a fraction of iterating over a stream.
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error("the caller closed the connection"));
    if (Number(request.headers["content-length"] ?? 0) > LIMIT_BYTES) return reject(tooLarge());
    if (request.destroyed) return gone();
    const octets = gatherOctets();
    const take = (chunk: Buffer) => {
      octets.add(chunk);
      if (octets.length() <= LIMIT_BYTES) return;
      request.off("data", take).pause();
      reject(tooLarge());
    };
    request.on("data", take);
    request.once("end", () => resolve(octets.all()));
    request.once("error", reject);
    request.once("close", () => request.readableEnded || gone());
  });
}

/**
 * Reads the form of a request to the OAuth provider, bounded. It is parsed only here: the provider gets these fields
 * re-encoded, so that it cannot read another client from the same bytes than the one checked. Refuses with
 * `media_type_unsupported`, `header_repeated`, `body_too_large` or `body_malformed`.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!FORM.test(singleHeader(request, "Content-Type") ?? "")) {
    const message = "the body must be application/x-www-form-urlencoded in UTF-8";
    throw new EdgeRefusal("media_type_unsupported", message, { path: "Content-Type" });
  }
  if ((request.headers["content-encoding"] || "identity").toLowerCase() !== "identity") {
    throw new EdgeRefusal("media_type_unsupported", "the body must not be compressed", {
      path: "Content-Encoding",
    });
  }
  requireChunkedAlone(request);
  const form = readUtf8Form(await readBytes(request));
  if (form.size > LIMIT_FIELDS) {
    throw new EdgeRefusal("body_malformed", `the body has more than ${LIMIT_FIELDS} fields`);
  }
  return form;
}
