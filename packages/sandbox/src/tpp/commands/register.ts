import { callbackUrl } from "../callback-url.ts";
import { type CommandContext, type CommandResult, splitScopes, withCertificate } from "../command.ts";
import type { KeptApplication } from "../tpp-memory.ts";

/** Options of `register`. */
export interface RegisterOptions {
  readonly certificate: string;
  readonly name: string;
  readonly scope?: string | undefined;
  readonly redirectUri?: string | undefined;
}

/** Registers an application (COBS PDF 1.4.1.1) and keeps it for the commands that follow. */
export async function register(context: CommandContext, options: RegisterOptions): Promise<CommandResult> {
  const application = await registerApplication(context, options);
  await context.memory.keep(application);
  const text = `Registered ${application.name} as ${application.clientId}; its secret is kept in ${context.sandbox.directory}/tpp.`;
  return {
    json: application,
    text: `${text}\nNext: npm run tpp -- authorize --psu ${context.sandbox.psus[0]?.username}`,
  };
}

/** Registers an application and gives what its TPP has to know of it. */
export async function registerApplication(
  { sandbox }: CommandContext,
  { certificate, name, scope, redirectUri = callbackUrl(sandbox.callback.port) }: RegisterOptions,
): Promise<KeptApplication> {
  const scopes = splitScopes(scope);
  const registration = {
    applicationType: "web",
    client_name: name,
    redirect_uris: [redirectUri],
    ...(scopes !== undefined && { scopes }),
  } as const;
  const { client_id, client_secret } = await withCertificate(sandbox, certificate, (tpp) =>
    tpp.applications.register(registration),
  );
  return { clientId: client_id, clientSecret: client_secret, redirectUri, name, certificate };
}
