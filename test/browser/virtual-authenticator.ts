import type { CDPSession, Page } from "playwright-core";

/** A virtual device in Chromium (Chrome DevTools Protocol, domain WebAuthn). */
export interface VirtualAuthenticator {
  /** Sets whether the device recognises its holder from now on. */
  recognises(holder: boolean): Promise<void>;
  /** Number of passkeys on it. */
  count(): Promise<number>;
}

/** Gives a page a device that stores passkeys and verifies its holder, like a phone. */
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
