import { type DocumentedPsu, READY_APPLICATION_NAME } from "../../sandbox-folder/sandbox-document.ts";
import { createApplicationKey } from "../application-key.ts";
import type { ApplicationsApi, Registration } from "../applications-api.ts";
import { callbackUrl } from "../callback-url.ts";
import {
  type CommandContext,
  type CommandResult,
  masked,
  type PlayedPsus,
  splitScopes,
  withCertificate,
} from "../command.ts";
import { type Fapi2Application, isFapi2, type OAuthApplication } from "../oauth-authentication.ts";
import type { KeptApplication } from "../tpp-memory.ts";
import { TppRefusal } from "../tpp-refusal.ts";

/** Options of `register`. */
export interface RegisterOptions {
  readonly certificate: string;
  readonly name: string;
  readonly scope?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly profile: "cobs" | "fapi2";
  /** How an application of profile fapi2 authenticates; by default with a key. */
  readonly auth?: "private_key_jwt" | "tls_client_auth" | undefined;
}

/** The credential that the TPP keeps for an application, for people. */
export function credentialOf(application: OAuthApplication): string {
  if (!isFapi2(application)) return `client_secret ${masked(application.clientSecret)}`;
  return application.privateKey === null ? "no secret: its certificate" : "no secret: its key";
}

/** Registers an application (COBS PDF 1.4.1.1) and keeps it for later commands. */
export async function register(context: CommandContext, options: RegisterOptions): Promise<CommandResult> {
  requireOwnName(options.name);
  await context.memory.prepare();
  const application = await registerApplication(context, options);
  await context.memory.keep(application);
  const text = `Registered ${application.name} as ${application.clientId} (${options.profile}, ${credentialOf(application)}); it is kept in ${context.sandbox.directory}/tpp.`;
  return { json: application, text: `${text}\nNext: npm run tpp -- ${nextCommand(context.sandbox)}` };
}

/** The command that gets tokens: as a demo PSU, unless only people can sign in, at a login of one's own. */
export function nextCommand({
  login,
  psus,
}: Pick<PlayedPsus, "login"> & { readonly psus: readonly Pick<DocumentedPsu, "username">[] }): string {
  return login === null ? `authorize --psu ${psus[0]?.username}` : "authorize";
}

/**
 * Refuses the name of the sandbox's own application: one with that name is taken for a leftover of an earlier start, omitted
 * here and removed at the bank.
 */
function requireOwnName(name: string): void {
  if (name !== READY_APPLICATION_NAME) return;
  throw new TppRefusal(
    "usage",
    `${name} is the name of the sandbox's own application`,
    "Choose another --name.",
  );
}

/** Registers an application and gives what its TPP must know. Refuses with `usage` what its profile does not allow. */
export async function registerApplication(
  { sandbox }: CommandContext,
  options: RegisterOptions,
): Promise<KeptApplication> {
  const { certificate, name, profile, redirectUri = callbackUrl(sandbox.callback.port) } = options;
  if (profile === "cobs" && options.auth !== undefined) {
    const why = `--auth ${options.auth} needs profile fapi2; an application of profile cobs has a secret`;
    throw new TppRefusal("usage", why, `--profile fapi2 --auth ${options.auth}`);
  }
  const scopes = splitScopes(options.scope);
  const registration = {
    applicationType: "web",
    client_name: name,
    redirect_uris: [redirectUri],
    ...(scopes !== undefined && { scopes }),
  } as const;
  const kept = { redirectUri, name, certificate };
  return withCertificate(sandbox, certificate, async ({ applications }) => {
    if (profile === "fapi2")
      return { ...kept, ...(await registerFapi2(applications, registration, options.auth)) };
    const { client_id, client_secret } = await applications.register(registration);
    return { clientId: client_id, clientSecret: client_secret, ...kept };
  });
}

async function registerFapi2(
  applications: ApplicationsApi,
  registration: Registration,
  method: RegisterOptions["auth"] = "private_key_jwt",
): Promise<Pick<Fapi2Application, "clientId" | "privateKey">> {
  const key = method === "private_key_jwt" ? createApplicationKey() : undefined;
  const { client_id } = await applications.registerWithoutSecret({
    ...registration,
    token_endpoint_auth_method: method,
    ...(key && { jwks: key.jwks }),
  });
  return { clientId: client_id, privateKey: key?.privateKey ?? null };
}
