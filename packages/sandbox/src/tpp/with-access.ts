import type { ApiAccess } from "./call-resource.ts";
import { type CommandContext, withCertificate } from "./command.ts";
import { explainRefusedToken } from "./explain-refused-token.ts";
import { openPaymentsApi, type PaymentsApi } from "./payments-api.ts";
import { type KeptApplication, requireTokens } from "./tpp-memory.ts";

/** The acting application; `certificate` shows another one than the token is bound to. */
export interface OfApplication {
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/**
 * Calls the API with the access token of an application. Refuses with `not_authorized` if it has none; a refusal of the token
 * says which command gives another one.
 */
export async function withAccess<T>(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate }: OfApplication,
  work: (access: ApiAccess, application: KeptApplication) => Promise<T>,
): Promise<T> {
  const application = await memory.application(clientId);
  const tokens = requireTokens(application);
  const shown = certificate ?? application.certificate;
  const { resourceBase } = sandbox;
  return withCertificate(sandbox, shown, async (tpp) => {
    const client = await tpp.oauth(application);
    try {
      return await work({ client, token: tokens.accessToken, resourceBase }, application);
    } catch (error) {
      // With another certificate a token is refused that goes on with its own.
      throw shown === application.certificate ? await explainRefusedToken(error, tokens) : error;
    }
  });
}

/** Calls the payment resources in the same way. */
export function withPayments<T>(
  context: CommandContext,
  of: OfApplication,
  work: (payments: PaymentsApi, application: KeptApplication) => Promise<T>,
): Promise<T> {
  return withAccess(context, of, (access, application) => work(openPaymentsApi(access), application));
}
