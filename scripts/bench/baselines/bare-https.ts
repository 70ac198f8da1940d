/** Baseline: Node's own https server over mutual TLS, which answers at once with the bytes it was given. */
import { type BaselineSettings, readSettings, serve } from "./baseline.ts";

const settings = readSettings<BaselineSettings & { readonly status: number; readonly body: string }>();
const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(settings.body) };

serve(settings, (_request, response) => {
  response.writeHead(settings.status, headers).end(settings.body);
});
