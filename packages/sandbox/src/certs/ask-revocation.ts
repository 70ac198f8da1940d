import {
  CertificateRefusal,
  createTppVerification,
  type PresentedCertificate,
  type RevocationStanding,
  RevocationUnavailable,
  standingOfRefusal,
  type TrustAnchors,
} from "@cobs/psd2-certificates";

/**
 * Checks revocation at the sources that a certificate names, as a service would before it registers an application. Under the
 * anchors of a sandbox private addresses are allowed, because its responder listens on loopback. A certificate refused by an
 * earlier check is not looked up.
 */
export async function askRevocation(
  presented: PresentedCertificate,
  anchors: TrustAnchors,
  now: Date,
): Promise<RevocationStanding> {
  // Loaded only here: most commands ask nobody, and loading takes longer than they do.
  const { createGuardedFetch } = await import("@cobs/service-edge");
  const way = createGuardedFetch({ allowsPrivateAddresses: anchors.environment === "sandbox" });
  const settings = {
    fetch: way.fetch,
    monotonicMilliseconds: () => performance.now(),
    cacheSeconds: 0,
    graceSeconds: 0,
  };
  try {
    await createTppVerification({ anchors, revocation: settings }).identify(presented, now, "certain");
    return { kind: "good", detail: "its sources say that it is good" };
  } catch (error) {
    return standingOf(error);
  } finally {
    await way.close();
  }
}

function standingOf(error: unknown): RevocationStanding {
  if (error instanceof RevocationUnavailable) return { kind: "unavailable", detail: error.detail };
  if (!(error instanceof CertificateRefusal)) throw error;
  return standingOfRefusal(error);
}
