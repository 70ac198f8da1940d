/**
 * The scene of every suite in this folder: one sandbox, one Chromium, one TPP with its site and an application. It owns opening
 * and closing them; `psu-at-pages.ts` and the suites decide which pages a PSU goes through.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type {
  DocumentedPsu,
  SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type {
  BegunAuthorization,
  Tokens,
  TppApplication,
} from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "../journeys/journey-sandbox.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { type CallbackSite, openCallbackSite } from "./callback-site.ts";
import { launchChromium, launchWithoutCookies } from "./chromium.ts";

/** The whole scene. */
export interface Scene {
  readonly document: SandboxDocument;
  readonly tpp: TppClient;
  readonly application: TppApplication;
  /** A second application, for payments alone: some tests end the consents to the first one. */
  readonly paymentApplication: TppApplication;
  readonly site: CallbackSite;
  /** Opens a fresh browser, which is closed after the test. */
  visitor(look?: BrowserContextOptions): Promise<Page>;
  /** Opens a page of a browser that refuses all cookies. */
  visitorWithoutCookies(): Promise<Page>;
  /** Begins an authorization; the test sends the PSU to its `url`. */
  begin(scope?: string): Promise<BegunAuthorization>;
  psu(username: string): DocumentedPsu;
  /** Ids of the accounts that resource shows for tokens. */
  accountIds(tokens: Tokens): Promise<readonly string[]>;
}

const PATIENCE_MILLISECONDS = 30_000;

let opening: Promise<{ readonly scene: Scene; readonly chromium: Browser }> | undefined;
let withoutCookies: ReturnType<typeof launchWithoutCookies> | undefined;
const visits: { close(): Promise<void> }[] = [];

/** Opens the one scene of a run. */
export async function openScene(): Promise<Scene> {
  opening ??= openEverything();
  return (await opening).scene;
}

beforeEach(async () => forgetUsedCodes((await openScene()).document));

afterEach(async () => {
  await Promise.all(visits.splice(0).map((visit) => visit.close()));
});

after(async () => {
  const opened = await opening;
  await Promise.all([opened?.chromium.close(), (await withoutCookies)?.close()]);
  opened?.scene.site.close();
});

async function openEverything() {
  const document = await (await journeySandbox()).document();
  const [tpp, site, chromium] = await Promise.all([
    journeyTpp("all-roles"),
    openCallbackSite(document),
    launchChromium(document),
  ]);
  const application = await tpp.register();
  const paymentApplication = await tpp.register();
  const oauth = await tpp.oauth(application);
  const scene: Scene = {
    document,
    tpp,
    application,
    paymentApplication,
    site,
    visitor: async (look = {}) => {
      const context = await chromium.newContext({ locale: "en-GB", ...look });
      context.setDefaultTimeout(PATIENCE_MILLISECONDS);
      visits.push(context);
      return context.newPage();
    },
    visitorWithoutCookies: async () => {
      // A browser without cookies remembers nobody, so one serves all visitors.
      withoutCookies ??= launchWithoutCookies(document);
      const page = await (await withoutCookies).context.newPage();
      visits.push(page);
      return page;
    },
    begin: (scope = "aisp") => oauth.begin(scope),
    psu: (username) => requirePsu(document, username),
    accountIds: async ({ accessToken }) => {
      const answer = await tpp.get(accessToken, "/my/accounts?size=100");
      const { accounts }: { accounts: { id: string }[] } = JSON.parse(await answer.text());
      return accounts.map(({ id }) => id);
    },
  };
  return { scene, chromium };
}

function requirePsu({ psus }: SandboxDocument, username: string): DocumentedPsu {
  const psu = psus.find((each) => each.username === username);
  if (psu === undefined) throw new Error(`the sandbox has no PSU ${username}`);
  return psu;
}
