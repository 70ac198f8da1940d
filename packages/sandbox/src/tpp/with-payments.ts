import { type CommandContext, withCertificate } from "./command.ts";
import { openPaymentsApi, type PaymentsApi } from "./payments-api.ts";
import { type KeptApplication, requireTokens } from "./tpp-memory.ts";

/** Which application acts; `certificate` shows another one than its token is bound to. */
export interface OfApplication {
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/** The payments of an application that was registered with the command line. */
export interface KeptPayments {
  readonly payments: PaymentsApi;
  readonly application: KeptApplication;
}

/** Works on payments with the access token of an application. Refuses with `usage` when it has none. */
export async function withPayments<T>(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate }: OfApplication,
  work: (kept: KeptPayments) => Promise<T>,
): Promise<T> {
  const application = await memory.application(clientId);
  const { accessToken: token } = requireTokens(application);
  return withCertificate(sandbox, certificate ?? application.certificate, async (tpp) => {
    const client = await tpp.oauth(application);
    const payments = openPaymentsApi({ client, token, resourceBase: sandbox.resourceBase });
    return work({ payments, application });
  });
}
