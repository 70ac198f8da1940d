import type { FailedCall, PresentedError } from "@cobs/service-edge";
import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { AuthorizationRefusal } from "./authorization-refusal.ts";
import { ClientBlocked, refusalOfBlocked } from "./client-blocked.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** Makes the page of a refusal; the same function that presents errors of the pages' own routes. */
export type PresentPage = (error: unknown, call: FailedCall) => PresentedError;

const PAGE_ROUTES: readonly string[] = ["authorization", "resume"];

/** Whether what fails here is shown to a person. */
export function isPageRoute(ctx: KoaContextWithOIDC): boolean {
  return PAGE_ROUTES.includes(ctx.oidc.route);
}

function refusalOf(out: ErrorOut, status: number, error: Error): AuthorizationRefusal {
  if (error instanceof ClientBlocked) return refusalOfBlocked(error);
  return new AuthorizationRefusal(out.error, status, out.error_description ?? out.error);
}

/** Answers a failed request of a browser with our page; programs get JSON also when they would accept a page. */
export function createErrorRenderer(requests: HandedOverRequests, presentPage: PresentPage) {
  return (ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void => {
    if (!isPageRoute(ctx)) {
      ctx.body = out;
      return;
    }
    const { requestId, acceptLanguage, cookie } = requests.of(ctx.req);
    const shown = ctx.status < 500 ? refusalOf(out, ctx.status, error) : error;
    const call = { requestId, acceptLanguage, cookie, method: ctx.method, path: ctx.path };
    const { answer } = presentPage(shown, call);
    ctx.status = answer.status;
    // What fails after the answer was decided leads nowhere: a code may be in it.
    ctx.remove("Location");
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      ctx.set(name, typeof value === "string" ? value : [...value]);
    }
    ctx.type = "html";
    ctx.body = answer.html ?? "";
  };
}
