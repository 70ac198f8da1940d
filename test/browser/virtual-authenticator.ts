import type { CDPSession, Page } from "playwright-core";

/** A device that Chromium believes in (Chrome DevTools Protocol, domain WebAuthn). */
export interface VirtualAuthenticator {
  /** Whether the device recognises whoever holds it, from now on. */
  recognises(holder: boolean): Promise<void>;
  /** How many passkeys are on it. */
  count(): Promise<number>;
}

/** Gives a page a device that keeps passkeys and verifies its holder, as a phone does. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    recognises: async (isUserVerified) => {
      await devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    count: async () =>
      (await devTools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}
