import type { Context } from "koa";
import { presentedCertificate } from "../tls/presented-certificate.ts";
import type { IncomingCall } from "./call.ts";
import { EdgeRefusal } from "./edge-refusal.ts";

function singleHeader(ctx: Context, name: string): string | undefined {
  const values = ctx.req.headersDistinct[name.toLowerCase()];
  if (values !== undefined && values.length > 1) {
    throw new EdgeRefusal("header_repeated", `the header ${name} came more than once`, { path: name });
  }
  return values?.[0];
}

/** Row 1 of a call: what the listener read, before anything is decided about it. */
export function readCall(
  ctx: Context,
  read: {
    readonly requestId: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly body: unknown;
  },
): IncomingCall {
  return {
    requestId: read.requestId,
    method: ctx.method,
    path: ctx.path,
    parameters: read.parameters,
    query: new URLSearchParams(ctx.querystring),
    header: (name) => singleHeader(ctx, name),
    body: read.body,
    presentedCertificate: presentedCertificate(ctx.req.socket),
    remoteAddress: ctx.req.socket.remoteAddress ?? "",
    exchange: { request: ctx.req, response: ctx.res },
  };
}
