import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { PresentedCertificate } from "../tls/presented-certificate.ts";
import type { IncomingCall } from "./call.ts";
import { EdgeRefusal } from "./edge-refusal.ts";
import { headerValues } from "./header-values.ts";
import { readJson } from "./read-body.ts";

/** Lists, whose lines are one value (RFC 9110 section 5.2). */
const LISTS: ReadonlySet<string> = new Set(["accept", "accept-language"]);

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const [value, ...others] = headerValues(request, name);
  if (others.length === 0) return value;
  if (LISTS.has(name)) return [value, ...others].join(", ");
  throw new EdgeRefusal("header_repeated", `the header ${name} came more than once`, { path: name });
}

const CALLERS_NAME = /^[A-Za-z0-9._:-]{1,60}$/;

/** What the caller named its call, or the process that the call is part of (OAS of COBS); a malformed name is none. */
export function readCallersName(ctx: Context, header: "x-request-id" | "action-id"): string | undefined {
  const name = ctx.get(header);
  return CALLERS_NAME.test(name) ? name : undefined;
}

/** Row 1 of a call: what the listener read, before anything is decided about it. */
export function readCall(
  ctx: Context,
  read: {
    readonly requestId: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly presentedCertificate: PresentedCertificate | undefined;
    readonly note: IncomingCall["note"];
  },
): IncomingCall {
  let query: URLSearchParams | undefined;
  return {
    requestId: read.requestId,
    callerRequestId: readCallersName(ctx, "x-request-id"),
    method: ctx.method,
    path: ctx.path,
    parameters: read.parameters,
    // Most calls have none, and those that are refused early are not asked for it.
    get query() {
      query ??= new URLSearchParams(ctx.querystring);
      return query;
    },
    header: (name) => singleHeader(ctx.req, name),
    body: read.body,
    readJson: (keepNumber) => readJson(ctx, keepNumber),
    presentedCertificate: read.presentedCertificate,
    remoteAddress: ctx.req.socket.remoteAddress ?? "",
    note: read.note,
    exchange: { request: ctx.req, response: ctx.res },
  };
}
