/** Pages of the baseline of auth: a sign-in form that accepts everybody, and a consent form. */
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";

const SIGN_IN = `<input type="text" name="username" autocomplete="username"><input type="password" name="password">
<input type="text" name="one_time_code" autocomplete="one-time-code">`;

const page = (action: string, fields: string) =>
  `<!doctype html><title>Bench</title><form method="post" action="${action}">${fields}<button>OK</button></form>`;

/** Answers `/interaction/{uid}` with the form of its prompt, and each submitted form with the next step. */
export function plainInteractions(provider: Provider, api: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { path, req, res } = ctx;
    if (!path.startsWith("/interaction/")) return next();
    const { prompt, session, params } = await provider.interactionDetails(req, res);
    const signsIn = prompt.name === "login";
    if (ctx.method === "GET") {
      ctx.body = signsIn ? page(`${path}/sign-in`, SIGN_IN) : page(`${path}/consent`, "");
      return;
    }
    const { accountId = "" } = session ?? {};
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addResourceScope(api, "aisp");
    const result = signsIn ? { login: { accountId: "psu" } } : { consent: { grantId: await grant.save() } };
    ctx.respond = false;
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
  };
}
