import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { approveAsPsu, CODE } from "./approve-as-psu.ts";
import { type CommandContext, type PlayedPsus, requirePsu } from "./command.ts";
import { createFormBrowser, type FormBrowser, type WayBack } from "./form-browser.ts";
import { nextOneTimeCode } from "./one-time-codes.ts";
import { openTppFetch } from "./tpp-fetch.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** An order for a PSU of the sandbox to approve without a browser. */
export interface PsuSigning {
  /** Where the bank sends the PSU. */
  readonly url: URL;
  readonly returnUrl: WayBack;
  readonly username: string;
  /** The PSU's present browser; a new one by default. */
  readonly browser?: FormBrowser | undefined;
}

/**
 * Signs in and approves as a PSU of the sandbox, with the code from the sandbox's inbox. Refuses with `usage` if codes go to
 * another service.
 */
export async function signAsPsu(
  {
    sandbox,
    usedSteps,
    tell,
  }: Pick<CommandContext, "usedSteps" | "tell"> & {
    readonly sandbox: Pick<SandboxDocument, "ca" | "delivery"> & PlayedPsus;
  },
  { url, returnUrl, username, browser }: PsuSigning,
): Promise<void> {
  const psu = requirePsu(sandbox, username);
  if (sandbox.delivery !== null)
    throw new TppRefusal(
      "usage",
      `the code that approves the payment goes to the service at ${sandbox.delivery}`,
      "A person can type it in a browser: npm run tpp -- sign, without --psu",
    );
  const web = await openTppFetch(sandbox.ca);
  const inbox = new URL(`/sandbox/messages/${psu.psuId}`, url);
  try {
    await approveAsPsu(browser ?? createFormBrowser(web.fetch, returnUrl), url, {
      username,
      password: psu.password,
      nextCode: () => nextOneTimeCode(psu, usedSteps, tell),
      readMessage: async () => {
        const answer = await web.fetch(inbox.href, {
          method: "GET",
          headers: {},
          body: undefined,
          redirect: "manual",
        });
        const { messages }: { messages: readonly { text: string }[] } = JSON.parse(await answer.text());
        // A notice may have followed the code.
        return messages.find(({ text }) => CODE.test(text))?.text ?? "";
      },
    });
  } finally {
    await web.close();
  }
}
