/**
 * Writes the pictures of the README, where a folder for pictures is named:
 * `COBS_TEST_SCREENSHOTS=packages/auth/pictures npx mocha test/browser/readme-pictures.browser.ts`
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SCREENSHOTS } from "../support/test-environment.ts";
import { packPng } from "./pack-png.ts";
import { everyPage, openSamples } from "./sample-site.ts";
import { openScene } from "./scene.ts";

const SHOWN = ["sign-in", "consent-accounts", "order-domestic", "consents"];
const PHONE = { width: 360, height: 740 } as const;

if (SCREENSHOTS !== undefined)
  describe("A page that the README shows", () => {
    it("is saved as a picture of a phone's screen", async () => {
      const folder = SCREENSHOTS ?? "";
      await mkdir(folder, { recursive: true });
      const page = await (await openScene()).visitor();
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: "light" });
      const show = await openSamples(page);
      const pages = everyPage("en");
      for (const name of SHOWN) {
        await show(pages.get(name) ?? "");
        await writeFile(join(folder, `${name}.png`), packPng(await page.screenshot()));
      }
    }).timeout(60_000);
  });
