import type { SandboxDocument } from "../start/sandbox-document.ts";
import { type CommandContext, requirePsu } from "./command.ts";
import { consentAsPsu } from "./consent-as-psu.ts";
import { createFormBrowser } from "./form-browser.ts";
import { nextOneTimeCode } from "./one-time-codes.ts";
import { openTppFetch } from "./tpp-fetch.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** An authorization that a PSU of the sandbox completes without a browser. */
export interface PsuAuthorization {
  readonly url: URL;
  readonly redirectUri: string;
  readonly username: string;
  readonly accounts: "all" | readonly string[];
}

/** Signs in and consents as a PSU of the sandbox; gives the address that leads back to the TPP. */
export async function authorizeAsPsu(
  { sandbox, usedSteps, tell }: Pick<CommandContext, "usedSteps" | "tell"> & { readonly sandbox: Web },
  { url, redirectUri, username, accounts }: PsuAuthorization,
): Promise<URL> {
  const psu = requirePsu(sandbox, username);
  const unknown =
    accounts === "all" ? [] : accounts.filter((id) => !psu.accounts.some((own) => own.id === id));
  if (unknown.length > 0) {
    const ids = psu.accounts.map(({ id }) => id).join(", ");
    throw new TppRefusal("usage", `${username} has no account ${unknown.join(", ")}`, `There are: ${ids}`);
  }
  const web = await openTppFetch(sandbox.ca);
  try {
    const nextCode = () => nextOneTimeCode(psu, usedSteps, tell);
    const browser = createFormBrowser(web.fetch, redirectUri);
    return await consentAsPsu(browser, url, { username, password: psu.password, nextCode, accounts });
  } finally {
    await web.close();
  }
}

type Web = Pick<SandboxDocument, "ca" | "psus">;
