import type { CustomFetch } from "openid-client";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { createFormBrowser, type FormBrowser, type WayBack } from "./form-browser.ts";
import { openTppFetch } from "./tpp-fetch.ts";

/** The CA of the bank's pages, what to do when they are too busy, and how long they may take. */
type Web = Pick<SandboxDocument, "ca"> & {
  readonly patient?: (fetch: CustomFetch) => CustomFetch;
  readonly limitMilliseconds?: number;
};

/** Runs a PSU's work in one browser, whose cookies are then discarded; it stops on its way back to the TPP. */
export async function withPsuBrowser<T>(
  { ca, patient = (fetch) => fetch, limitMilliseconds }: Web,
  wayBack: WayBack,
  work: (browser: FormBrowser) => Promise<T>,
): Promise<T> {
  const web = await openTppFetch(ca, undefined, limitMilliseconds);
  try {
    return await work(createFormBrowser(patient(web.fetch), wayBack));
  } finally {
    await web.close();
  }
}
