import type { CustomFetch } from "openid-client";
import { createCookieJar } from "./cookie-jar.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** Where a visit ended: on a page of the bank, or on its way back to the TPP. */
export type Visit =
  | { readonly kind: "page"; readonly url: URL; readonly status: number; readonly html: string }
  | { readonly kind: "returned"; readonly url: URL };

/** A browser without a person: keeps cookies, follows redirects, submits forms. */
export interface FormBrowser {
  open(url: URL): Promise<Visit>;
  submit(url: URL, fields: URLSearchParams): Promise<Visit>;
}

/** The redirect URI of the TPP, or a test that tells URLs of a TPP from those of the bank. */
export type WayBack = string | ((url: URL) => boolean);

const MOST_REDIRECTS = 10;

/** Opens a browser on the bank's pages. It stops at a redirect to the TPP and does not follow it. */
export function createFormBrowser(fetch: CustomFetch, wayBack: WayBack): FormBrowser {
  const cookies = createCookieJar();

  async function load(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const headers = {
      accept: "text/html",
      // English like the command line, which repeats the words of a page.
      "accept-language": "en",
      cookie: cookies.present(url),
      ...(form && { "content-type": "application/x-www-form-urlencoded", origin: url.origin }),
    };
    const method = form === undefined ? "GET" : "POST";
    const answer = await fetch(url.href, { method, headers, body: form?.toString(), redirect: "manual" });
    cookies.keep(url, answer.headers.getSetCookie());
    return answer;
  }

  async function visit(start: URL, fields: URLSearchParams | undefined): Promise<Visit> {
    let [url, form] = [start, fields];
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const answer = await load(url, form);
      const location = answer.headers.get("location");
      if (location === null) return { kind: "page", url, status: answer.status, html: await answer.text() };
      [url, form] = [new URL(location, url), undefined];
      if (isBack(url, wayBack)) return { kind: "returned", url };
    }
    throw new TppRefusal("refused", `the bank's pages redirect more than ${MOST_REDIRECTS} times`);
  }

  return { open: (url) => visit(url, undefined), submit: visit };
}

function isBack(url: URL, wayBack: WayBack): boolean {
  if (typeof wayBack === "function") return wayBack(url);
  const back = new URL(wayBack);
  return url.origin === back.origin && url.pathname === back.pathname;
}
