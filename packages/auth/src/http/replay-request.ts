import { IncomingMessage } from "node:http";
import { writeForm } from "./read-form.ts";

/** A request with a body that was already read. */
class ReplayedRequest extends IncomingMessage {
  readonly #body: Buffer;

  constructor(original: IncomingMessage, body: Buffer) {
    super(original.socket);
    this.#body = body;
    this.method = original.method;
    this.url = original.url;
    this.httpVersion = original.httpVersion;
    const { authorization, ...headers } = original.headers;
    this.headers = {
      ...headers,
      // An empty header counts as missing, as in `read-client-id.ts`.
      ...(authorization && { authorization }),
      "content-length": String(body.length),
    };
    this.complete = true;
  }

  override async *iterator(): AsyncGenerator<Buffer> {
    yield this.#body;
  }
}

/**
 * Recreates a request with the form that was read from it, for the OAuth provider, which reads bodies itself. Refuses
 * with `body_too_large`.
 */
export function replayRequest(original: IncomingMessage, form: URLSearchParams): IncomingMessage {
  return new ReplayedRequest(original, writeForm(form));
}
