import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { ISSUER, type RunningAuth } from "../running-auth.ts";
import { createAuthenticator, readAsking, type SoftwareAuthenticator } from "./software-authenticator.ts";

/** A PSU's browser with a passkey of theirs. */
export interface PasskeyHolder {
  readonly browser: PsuBrowser;
  readonly authenticator: SoftwareAuthenticator;
}

/** Signs a PSU in at `/authenticator` and adds a passkey there. */
export async function enrolPasskey(auth: RunningAuth, username = "jana"): Promise<PasskeyHolder> {
  const browser = openBrowser(auth);
  const page = await browser.follow(
    await signIn(auth, browser, await browser.get("/authenticator"), username),
  );
  const authenticator = createAuthenticator(ISSUER);
  const added = await addPasskey(browser, page, authenticator);
  if (added.status !== 303) throw new Error(`the passkey was not added: ${added.status} ${added.body}`);
  return { browser, authenticator };
}

/** Submits the form that adds a passkey, answering the page's options. */
export function addPasskey(
  browser: PsuBrowser,
  page: RawAnswer,
  authenticator: SoftwareAuthenticator,
  fields: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const attestation = authenticator.create(readAsking(page.body, "create"));
  return browser.post(page, "passkey-add", { attestation, passkey_name: "phone", ...fields });
}

/** Follows the link of that name in the PSU's list to the confirmation page before a passkey is removed. */
export async function askToRemove(browser: PsuBrowser, list: RawAnswer, name = "phone"): Promise<RawAnswer> {
  const links = list.body.matchAll(/href="(\/authenticator\?remove=[^"]+)"[^>]*>([^<]*)</g);
  const [, path] = [...links].find(([, , text = ""]) => text.includes(name)) ?? [];
  if (path === undefined) throw new Error(`no way to remove ${name}: ${list.body}`);
  return browser.get(path);
}

/** Fields of the form that signs in with a passkey alone. */
export function answerPage(
  page: RawAnswer,
  authenticator: SoftwareAuthenticator,
  wrong: Parameters<SoftwareAuthenticator["get"]>[1] = {},
): { readonly assertion: string } {
  return { assertion: authenticator.get(readAsking(page.body, "get"), wrong) };
}
