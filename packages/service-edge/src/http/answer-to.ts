import type { Context } from "koa";
import type { Answer } from "./call.ts";
import { writeJson } from "./write-json.ts";

/** Row 10: writes an answer to the response. */
export function answerTo(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    ctx.set(name, typeof value === "string" ? value : [...value]);
  }
  if (answer.json !== undefined) {
    ctx.type = "application/json";
    ctx.body = writeJson(answer.json);
  } else if (answer.html !== undefined) {
    ctx.type = "text/html; charset=utf-8";
    ctx.body = answer.html;
  } else if (answer.content !== undefined) {
    ctx.type = answer.content.type;
    ctx.body = answer.content.body;
  } else {
    ctx.body = null;
    ctx.status = answer.status;
    ctx.remove("Content-Type");
  }
}
