import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { type CommandContext, type PlayedPsus, requirePsu } from "./command.ts";
import { consentAsPsu } from "./consent-as-psu.ts";
import type { FormBrowser, WayBack } from "./form-browser.ts";
import { nextOneTimeCode } from "./one-time-codes.ts";
import { withPsuBrowser } from "./psu-browser.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** An authorization for a PSU of the sandbox to complete without a browser. */
export interface PsuAuthorization {
  readonly url: URL;
  readonly redirectUri: WayBack;
  readonly username: string;
  readonly accounts: "all" | readonly string[];
  /** The PSU's present browser; a new one by default. */
  readonly browser?: FormBrowser | undefined;
}

/** Signs in and consents as a PSU of the sandbox; gives the URL that leads back to the TPP. */
export async function authorizeAsPsu(
  { sandbox, usedSteps, tell }: Pick<CommandContext, "usedSteps" | "tell"> & { readonly sandbox: Web },
  { url, redirectUri, username, accounts, browser }: PsuAuthorization,
): Promise<URL> {
  const psu = requirePsu(sandbox, username);
  const unknown =
    accounts === "all" ? [] : accounts.filter((id) => !psu.accounts.some((own) => own.id === id));
  if (unknown.length > 0) {
    const ids = psu.accounts.map(({ id }) => id).join(", ");
    throw new TppRefusal("usage", `${username} has no account ${unknown.join(", ")}`, `There are: ${ids}`);
  }
  const nextCode = () => nextOneTimeCode(psu, usedSteps, tell);
  const consent = (used: FormBrowser) =>
    consentAsPsu(used, url, { username, password: psu.password, nextCode, accounts });
  return browser === undefined ? withPsuBrowser(sandbox, redirectUri, consent) : consent(browser);
}

type Web = Pick<SandboxDocument, "ca"> & PlayedPsus;
