import { type BeforeStart, startSandbox, type TestSandbox } from "../support/sandbox.ts";

let beforeStart: BeforeStart | undefined;
let starting: Promise<TestSandbox> | undefined;

/** One sandbox for all journeys of a run: both services and their database, as separate processes. */
export function journeySandbox(): Promise<TestSandbox> {
  starting ??= startSandbox({}, beforeStart);
  return starting;
}

/** Registers an act in its folder and ports before it starts; a file calls this while it is loaded, when nothing runs yet. */
export function beforeJourneySandbox(act: BeforeStart): void {
  beforeStart = act;
}

/** Stops the sandbox if it was started. */
export async function closeSandbox(): Promise<void> {
  await (await starting)?.stop();
}
