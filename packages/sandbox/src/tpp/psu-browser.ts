import type { SandboxDocument } from "../start/sandbox-document.ts";
import { createFormBrowser, type FormBrowser } from "./form-browser.ts";
import { openTppFetch } from "./tpp-fetch.ts";

/** Lets a PSU work in one browser, whose cookies are gone afterwards; it stops on its way back to `returnUrl`. */
export async function withPsuBrowser<T>(
  { ca }: Pick<SandboxDocument, "ca">,
  returnUrl: string,
  work: (browser: FormBrowser) => Promise<T>,
): Promise<T> {
  const web = await openTppFetch(ca);
  try {
    return await work(createFormBrowser(web.fetch, returnUrl));
  } finally {
    await web.close();
  }
}
