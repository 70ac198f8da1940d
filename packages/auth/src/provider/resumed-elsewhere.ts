import Provider, { type AdapterPayload } from "oidc-provider";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import { signInOf } from "./find-interaction.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/** Whether the call under way resumes an authorization in another browser than that in which its PSU has signed in for it. */
export type IsResumedElsewhere = (interaction: AdapterPayload) => Promise<boolean>;

/**
 * Makes the check. The provider resumes an authorization for whoever has the cookies of its step. Who began one has them, and can
 * plant them, from a sibling host, in the browser of a PSU; who has used that browser before may have copied them. What the PSU
 * answers there leads nobody on but them.
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
