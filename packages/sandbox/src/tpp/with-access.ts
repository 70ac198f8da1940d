import type { ApiAccess } from "./call-resource.ts";
import { type CommandContext, withCertificate } from "./command.ts";
import { openPaymentsApi, type PaymentsApi } from "./payments-api.ts";
import { type KeptApplication, requireTokens } from "./tpp-memory.ts";

/** The acting application; `certificate` shows another one than the token is bound to. */
export interface OfApplication {
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/** Calls the API with the access token of an application. Refuses with `not_authorized` if it has none. */
export async function withAccess<T>(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate }: OfApplication,
  work: (access: ApiAccess, application: KeptApplication) => Promise<T>,
): Promise<T> {
  const application = await memory.application(clientId);
  const { accessToken: token } = requireTokens(application);
  return withCertificate(sandbox, certificate ?? application.certificate, async (tpp) =>
    work({ client: await tpp.oauth(application), token, resourceBase: sandbox.resourceBase }, application),
  );
}

/** Calls the payment resources in the same way. */
export function withPayments<T>(
  context: CommandContext,
  of: OfApplication,
  work: (payments: PaymentsApi, application: KeptApplication) => Promise<T>,
): Promise<T> {
  return withAccess(context, of, (access, application) => work(openPaymentsApi(access), application));
}
