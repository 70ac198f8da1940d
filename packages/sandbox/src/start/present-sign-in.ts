import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { presentTable } from "../terminal/present-table.ts";
import { endOfStep, oneTimeCode, otpauthUri } from "../tpp/one-time-codes.ts";

/** The first time step whose code a PSU has not used yet. */
export type CodeStep = (username: string) => number;

/** Says who can sign in, where and with what. */
export function presentSignIn(document: SandboxDocument, codeStep: CodeStep): readonly string[] {
  if (document.login !== null) return presentProvider(document);
  return [
    presentPsus(document, codeStep),
    "",
    "  Each code works once. For another: npm run tpp -- code NAME, or an authenticator app with the secret, for example",
    ...document.psus.slice(0, 1).map((psu) => `  ${otpauthUri(psu)}`),
    "",
    ...presentNewcomer(document),
  ];
}

/** How PSUs sign in at a provider of the integrator's own, and who of them has accounts in the demo bank. */
function presentProvider({ login, auth, core, psus }: SandboxDocument): readonly string[] {
  const place = [
    `PSUs sign in at ${login}, which sends them back to ${auth.browser}/sign-in/return.`,
    "The demo PSUs cannot sign in: npm run tpp -- demo, code, psu and --psu do not work.",
  ];
  if (core !== null) return place;
  const rows = psus.map(({ username, displayName, psuId, accounts }) => [
    username,
    displayName,
    psuId,
    String(accounts.length),
  ]);
  return [
    ...place,
    "Whoever has the psuId of one of them at the provider has the accounts of that one:",
    "",
    presentTable([["PSU", "", "psuId", "accounts"], ...rows]),
  ];
}

function presentPsus({ psus, core }: SandboxDocument, codeStep: CodeStep): string {
  const rows = psus.map((psu) => {
    const { code, step } = oneTimeCode(psu.totpSecret, codeStep(psu.username));
    const until = endOfStep(step).toTimeString().slice(0, 8);
    return [
      psu.username,
      psu.displayName,
      psu.password,
      `${code} until ${until}`,
      psu.totpSecret,
      ...(core === null ? [String(psu.accounts.length)] : []),
    ];
  });
  const accounts = core === null ? ["accounts"] : [];
  return presentTable([["PSU", "", "password", "one-time code", "TOTP secret", ...accounts], ...rows]);
}

/** How to see the setup of an authenticator app. */
function presentNewcomer({ newcomer, auth }: SandboxDocument): readonly string[] {
  const { username, displayName, password, activationCode } = newcomer;
  return [
    `  ${displayName} has no authenticator app yet: sign in at ${auth.browser}/authenticator`,
    `  as ${username}, password ${password}, with the activation code ${activationCode} as one-time code. It works once.`,
  ];
}
