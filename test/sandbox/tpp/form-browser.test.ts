import { expect } from "chai";
import { createFormBrowser } from "../../../packages/sandbox/src/tpp/form-browser.ts";

describe("Form browser without a person", () => {
  it("requests pages in the language of the command line, which repeats their words", async () => {
    const asked: (string | null)[] = [];
    const browser = createFormBrowser(async (_url, { headers }) => {
      asked.push(new Headers(headers).get("accept-language"));
      return new Response("<p>A page</p>");
    }, "https://tpp.example/callback");
    const url = new URL("https://bank.example/oauth/authorize");
    await browser.open(url);
    await browser.submit(url, new URLSearchParams());
    expect(asked).to.deep.equal(["en", "en"]);
  });
});
