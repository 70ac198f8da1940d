import { CookieJar as BrowserJar } from "tough-cookie";

/** The cookies of a browser (RFC 6265), sent where host, path and security attributes allow. */
export interface CookieJar {
  /** Keeps the cookies of an answer, except those that a browser would reject. */
  keep(url: URL, setCookies: readonly string[]): void;
  /** The value of a `Cookie` header; empty if there is nothing to send. */
  present(url: URL): string;
}

/** Creates an empty jar. */
export function createCookieJar(): CookieJar {
  const jar = new BrowserJar(undefined, { prefixSecurity: "silent", rejectPublicSuffixes: false });
  return {
    keep: (url, setCookies) => {
      for (const line of setCookies) jar.setCookieSync(line, url.href, { ignoreError: true });
    },
    present: (url) => jar.getCookieStringSync(url.href),
  };
}
