import type { FailedCall, PresentedError } from "@cobs/service-edge";
import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { AuthorizationRefusal } from "./authorization-refusal.ts";
import { ClientBlocked, refusalOfBlocked } from "./client-blocked.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** Makes the page of a refusal; also presents errors of the pages' own routes. */
export type PresentPage = (error: unknown, call: FailedCall) => PresentedError;

const PAGE_ROUTES: readonly string[] = ["authorization", "resume"];

/** Whether a person sees the errors of this route. */
export function isPageRoute(ctx: KoaContextWithOIDC): boolean {
  return PAGE_ROUTES.includes(ctx.oidc.route);
}

function refusalOf(out: ErrorOut, status: number, error: Error): AuthorizationRefusal {
  if (error instanceof ClientBlocked) return refusalOfBlocked(error);
  return new AuthorizationRefusal(out.error, status, out.error_description ?? out.error);
}

/** Makes the renderer of errors: our page for a browser's request, JSON for programs even if they accept a page. */
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
    // A failure after the answer was decided must not redirect: the address may hold a code.
    ctx.remove("Location");
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      ctx.set(name, typeof value === "string" ? value : [...value]);
    }
    ctx.type = "html";
    ctx.body = answer.html ?? "";
  };
}
