import { type AwaitedReturn, openCallbackListener } from "./callback-listener.ts";
import type { CommandContext } from "./command.ts";

/** Where a person goes in a browser, and where they return to. */
export interface BrowserTrip extends AwaitedReturn {
  readonly url: URL;
  /** Seconds. */
  readonly timeout: number;
  /** What else they must know. */
  readonly hint?: string;
}

/** Asks the person at the terminal to open a URL, and gives the one at which their browser returned. */
export async function sendToBrowser(
  { sandbox, tell }: Pick<CommandContext, "sandbox" | "tell">,
  { url, timeout, hint, ...awaited }: BrowserTrip,
): Promise<URL> {
  const listener = await openCallbackListener(sandbox.callback, awaited);
  try {
    tell("Open this address in a browser. It will warn about the sandbox's certificates:");
    tell(url.href);
    if (hint !== undefined) tell(hint);
    tell(`Waiting up to ${timeout} s at ${awaited.redirectUri} …`);
    return await listener.wait(timeout);
  } finally {
    listener.close();
  }
}
