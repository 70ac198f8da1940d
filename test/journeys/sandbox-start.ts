/**
 * Starts the sandbox right before the first journeys of a run, whose own time limits do not allow for the start of a whole
 * sandbox on a busy machine. What runs before them has the machine to itself.
 */
import { journeySandbox } from "./one-sandbox.ts";

describe("Sandbox of the journeys", () => {
  it("starts", async function start() {
    this.timeout(120_000);
    await journeySandbox();
  });
});
