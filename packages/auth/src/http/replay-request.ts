import { IncomingMessage } from "node:http";

/** The same request again, with the form that was read from it: for the OAuth provider, which reads bodies itself. */
export function replayRequest(original: IncomingMessage, form: URLSearchParams): IncomingMessage {
  const body = Buffer.from(form.toString());
  const replayed = new IncomingMessage(original.socket);
  replayed.method = original.method;
  replayed.url = original.url;
  replayed.httpVersion = original.httpVersion;
  replayed.headers = { ...original.headers, "content-length": String(body.length) };
  replayed.complete = true;
  replayed.push(body);
  replayed.push(null);
  return replayed;
}
