import { TOTP } from "otpauth";
import type { RawAnswer } from "../support/raw-https.ts";
import { PSUS, type RunningAuth } from "./running-auth.ts";
import { FORM_BODY, REDIRECT_URI, type TestApplication } from "./test-application.ts";

/** A PSU's browser on raw https: it keeps cookies by path, follows our own redirects and submits our own forms. */
export interface PsuBrowser {
  get(path: string): Promise<RawAnswer>;
  /** Submits the form of a page whose action ends with `name`, with its hidden fields and additional ones. */
  post(page: RawAnswer, name: string, fields?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Follows redirects up to a page or an outside address. */
  follow(answer: RawAnswer): Promise<RawAnswer>;
  /** Stores a cookie that a sibling host sets, for any path of ours. */
  plant(cookie: Cookie): void;
  /** By name, and by path too unless that is the whole host: two tabs have two interactions. */
  readonly cookies: ReadonlyMap<string, Cookie>;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** When the browser drops it, by the clock of the server; undefined when it keeps it until it is closed. */
  readonly endsAt?: number;
}

/** Opens a fresh browser. */
export function openBrowser(auth: RunningAuth): PsuBrowser {
  const cookies = new Map<string, Cookie>();

  function keep(answer: RawAnswer): RawAnswer {
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=");
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? "/";
      const key = path === "/" ? name : `${name};${path}`;
      const age = attributes.find((each) => /^max-age=/i.test(each))?.slice(8);
      const ending = age === undefined ? {} : { endsAt: auth.clock.now().getTime() + Number(age) * 1000 };
      if (value === "" || age === "0") cookies.delete(key);
      else cookies.set(key, { name, value, path, ...ending });
    }
    return answer;
  }

  function cookieHeader(path: string): Record<string, string> {
    for (const [key, { endsAt }] of cookies)
      if (endsAt !== undefined && endsAt <= auth.clock.now().getTime()) cookies.delete(key);
    const fitting = [...cookies.values()].filter(
      (cookie) =>
        path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, "/")) || cookie.path === "/",
    );
    // Longer paths first (RFC 6265 5.4).
    const sent = fitting.toSorted((one, other) => other.path.length - one.path.length);
    return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; ") };
  }

  const bare = (path: string) => path.split("?")[0] ?? "";
  const get = async (path: string) => keep(await auth.browse({ path, headers: cookieHeader(bare(path)) }));

  return {
    cookies,
    get,
    plant: (cookie) => void cookies.set(`${cookie.name};${cookie.path}`, cookie),
    async post(page, name, fields = {}) {
      const form =
        page.body.split("<form").find((part) => part.split(">", 1)[0]?.includes(`/${name}"`)) ?? "";
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
      const hidden = [
        ...(form.split("</form>")[0]?.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g) ?? []),
      ];
      const body = new URLSearchParams(
        hidden.map(([, key = "", value = ""]): [string, string] => [key, value]),
      );
      for (const [key, value] of Object.entries(fields)) body.set(key, value);
      const headers = { ...FORM_BODY, ...cookieHeader(action) };
      return keep(await auth.browse({ method: "POST", path: action, headers, body: body.toString() }));
    },
    async follow(answer) {
      let current = answer;
      for (let hops = 0; hops < 10 && isOwnRedirect(current); hops += 1) {
        current = await get(String(current.headers.location).replace(/^https:\/\/localhost:8443/, ""));
      }
      return current;
    },
  };
}

function isOwnRedirect({ status, headers }: RawAnswer): boolean {
  return status >= 301 && status <= 308 && /^(\/|https:\/\/localhost:8443\/)/.test(String(headers.location));
}

/** What a page reports about the act that led to it, as a screen reader announces it; undefined if it reports nothing. */
export function statusOf({ body }: RawAnswer): string | undefined {
  return /<p class="notice done" role="status"[^>]*>([^<]*)<\/p>/.exec(body)?.[1];
}

/** Path of an authorization request with some parameters changed; undefined removes one. */
export function authorizePath(
  application: Pick<TestApplication, "client_id">,
  changed: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: application.client_id,
    redirect_uri: REDIRECT_URI,
    scope: "aisp",
    state: "xyz",
    ...changed,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `/oauth/authorize?${query}`;
}

/** Signs a PSU in on the sign-in page with an unused code. */
export function signIn(
  auth: RunningAuth,
  browser: PsuBrowser,
  page: RawAnswer,
  username = "jana",
): Promise<RawAnswer> {
  auth.clock.advance(30_000);
  return signInNow(auth, browser, page, username);
}

/** Signs a PSU in with the current code, used or not. */
export function signInNow(
  auth: RunningAuth,
  browser: PsuBrowser,
  page: RawAnswer,
  username = "jana",
): Promise<RawAnswer> {
  return browser.post(page, "sign-in", typedBy(auth, username));
}

/** What a PSU types on the sign-in page, with the current code. */
export function typedBy(auth: RunningAuth, username = "jana") {
  const psu = PSUS.find((each) => each.username === username);
  if (psu === undefined) throw new Error(`no PSU ${username}`);
  const timestamp = auth.clock.now().getTime();
  const one_time_code = new TOTP({ secret: psu.totpSecret }).generate({ timestamp });
  return { username, password: psu.password, one_time_code };
}

/** Goes through sign-in and consent, and returns the answer that leads back to the TPP. */
export async function consent(
  auth: RunningAuth,
  application: Pick<TestApplication, "client_id">,
  input: {
    readonly username?: string | undefined;
    readonly browser?: PsuBrowser;
    readonly request?: Readonly<Record<string, string | undefined>>;
    readonly fields?: Readonly<Record<string, string>>;
  } = {},
): Promise<URL> {
  const browser = input.browser ?? openBrowser(auth);
  const page = await browser.follow(await browser.get(authorizePath(application, input.request)));
  const consentPage = await browser.follow(await signIn(auth, browser, page, input.username));
  const back = await browser.follow(
    await browser.post(consentPage, "consent", input.fields ?? { choice: "all" }),
  );
  if (typeof back.headers.location !== "string") throw new Error(`no way back: ${back.status} ${back.body}`);
  return new URL(back.headers.location);
}
