import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { CHROMIUM, CHROMIUM_WITHOUT_WINDOWS } from "../support/test-environment.ts";

/**
 * Features of Chromium that use more processor time than the pages. The address bar's popups are pages with a process per
 * window, though nobody types an address; spare processes stand by for sites that no PSU visits.
 */
const SURROUNDINGS = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"];
/** Chromium obeys only the last of two such lists, so this one repeats what playwright-core turns off. */
const LEFT_OFF_BY_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  // No graphics card draws anything, so the process for one is not started.
  "--in-process-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Bank and TPP may share a process: cookies and policies still decide what one site may do to another.
  "--disable-site-isolation-trials",
  `--disable-features=${[...LEFT_OFF_BY_PLAYWRIGHT, ...SURROUNDINGS].join(",")}`,
];
/** The value in Chromium's preferences. */
const BLOCKED = 2;

/** Options with which a Chromium trusts two servers: the pages of auth, and the TPP's callback. */
async function chromiumOptions(document: SandboxDocument) {
  const callback = new X509Certificate(await readFile(document.callback.certificate));
  return optionsTrusting([await verifiedCertificate(document), callback]);
}

function optionsTrusting(certificates: readonly X509Certificate[]) {
  // Not `ignoreHTTPSErrors`: that would trust every server.
  const trust = `--ignore-certificate-errors-spki-list=${certificates.map(publicKeyHash).join(",")}`;
  return { executablePath: CHROMIUM, args: [...ARGUMENTS, trust] };
}

/** Starts one full Chromium that trusts only the servers with these certificates, in PEM. */
export async function launchTrusting(certificates: readonly Buffer[]): Promise<Browser> {
  return chromium.launch(optionsTrusting(certificates.map((pem) => new X509Certificate(pem))));
}

/** Starts one Chromium, in which each PSU gets a separate context. */
export async function launchChromium(document: SandboxDocument): Promise<Browser> {
  return chromium.launch({ ...(await chromiumOptions(document)), executablePath: CHROMIUM_WITHOUT_WINDOWS });
}

/** Starts a full Chromium with preferences, in which the user has blocked all cookies; `close` ends it. */
export async function launchWithoutCookies(
  document: SandboxDocument,
): Promise<{ readonly context: BrowserContext; close(): Promise<void> }> {
  const profile = makeTemporaryFolder("browser-test-");
  await mkdir(join(profile, "Default"));
  const preferences = { profile: { default_content_setting_values: { cookies: BLOCKED } } };
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
  const options = { ...(await chromiumOptions(document)), locale: "en-GB" };
  const context = await chromium.launchPersistentContext(profile, options);
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  };
  return { context, close };
}

/** The browser listener's certificate, after its chain and name were checked against the sandbox's CA. */
async function verifiedCertificate({ auth, ca }: SandboxDocument): Promise<X509Certificate> {
  const { hostname, port } = new URL(auth.browser);
  const socket = connect({
    host: hostname,
    port: Number(port),
    servername: hostname,
    ca: await readFile(ca),
  });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error("the browser listener showed no certificate");
  return certificate;
}

function publicKeyHash({ publicKey }: X509Certificate): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}
