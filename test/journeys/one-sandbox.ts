import { type BeforeStart, startSandbox, type TestSandbox } from "../support/sandbox.ts";

let beforeStart: BeforeStart | undefined;
let starting: Promise<TestSandbox> | undefined;

/** One sandbox for all journeys of a run: both services and their database, as processes of their own. */
export function journeySandbox(): Promise<TestSandbox> {
  starting ??= startSandbox({}, beforeStart);
  return starting;
}

/** Has something happen in its place before it is started; asked for by a file while it is loaded, when nothing runs yet. */
export function beforeJourneySandbox(act: BeforeStart): void {
  beforeStart = act;
}

/** Stops it where it was started. */
export async function closeSandbox(): Promise<void> {
  await (await starting)?.stop();
}
