import Provider, { type AdapterPayload } from "oidc-provider";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import { signInOf } from "./find-interaction.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** Whether the current call resumes an authorization in a browser other than the one in which its PSU signed in for it. */
export type IsResumedElsewhere = (interaction: AdapterPayload) => Promise<boolean>;

/**
 * Makes the check. The provider resumes an authorization in any browser that has the cookies of its step. An attacker
 * who began one has them, and can plant them in a PSU's browser from a sibling host; an earlier user of that browser
 * may have copied them. With this check, the PSU's answer takes only the PSU's browser further.
 */
export function createResumeCheck(
  sessions: Pick<PsuSessions, "countsElsewhere">,
  requests: HandedOverRequests,
): IsResumedElsewhere {
  return async ({ result }) => {
    const { ctx } = Provider;
    const signIn = signInOf(result);
    if (ctx?.oidc.route !== "resume" || signIn === undefined) return false;
    const { cookie } = requests.of(ctx.req);
    return sessions.countsElsewhere({ header: (name) => (name === "cookie" ? cookie : undefined) }, signIn);
  };
}
