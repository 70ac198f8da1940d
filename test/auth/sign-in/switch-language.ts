import type { RawAnswer } from "../../support/raw-https.ts";
import type { PsuBrowser } from "../psu-browser.ts";

/** Presses the button of English on a page that carries its form along, whose action ends with `name`. */
export function switchToEnglish(browser: PsuBrowser, page: RawAnswer, name: string): Promise<RawAnswer> {
  const [, form] = page.body.split('<form id="language"');
  const address = /<button [^>]*name="go" value="language" formaction="([^"]+\?lang=en)"/.exec(
    page.body,
  )?.[1];
  if (form === undefined || !address?.endsWith(`/${name}?lang=en`))
    throw new Error("the page has no button of English");
  const body = `<form${form.replace(/action="[^"]*"/, `action="${address}"`)}`;
  return browser.post({ ...page, body }, `${name}?lang=en`, { go: "language" });
}
