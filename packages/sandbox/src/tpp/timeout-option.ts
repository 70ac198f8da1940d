import { InvalidArgumentError, Option } from "commander";

/** The longest that Node.js can wait, in whole seconds. */
const MAX_SECONDS = 2_147_483;

/** How long to wait for the browser: a whole number of seconds. */
export function timeoutOption(): Option {
  return new Option("--timeout <seconds>", "how long to wait for the browser")
    .default(300)
    .argParser((text) => {
      const seconds = Number(text);
      if (/^[1-9]\d*$/.test(text) && seconds <= MAX_SECONDS) return seconds;
      throw new InvalidArgumentError(`It is a whole number from 1 to ${MAX_SECONDS}.`);
    });
}
