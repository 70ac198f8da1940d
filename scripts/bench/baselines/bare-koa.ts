/** Baseline: bare Koa over mutual TLS, which answers at once with the bytes it was given. */
import Koa from "koa";
import { type BaselineSettings, readSettings, serve } from "./baseline.ts";

const settings = readSettings<BaselineSettings & { readonly status: number; readonly body: string }>();
const app = new Koa();

app.use((ctx) => {
  ctx.status = settings.status;
  ctx.type = "application/json";
  ctx.body = settings.body;
});
serve(settings, app.callback());
