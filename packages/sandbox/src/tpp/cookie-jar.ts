import { CookieJar as BrowserJar } from "tough-cookie";

/** The cookies of a browser (RFC 6265): sent where host, path and protection allow. */
export interface CookieJar {
  /** Keeps what an answer set; one that a browser would not take is not kept. */
  keep(url: URL, setCookies: readonly string[]): void;
  /** The value of a `Cookie` header; empty when there is nothing to send. */
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
