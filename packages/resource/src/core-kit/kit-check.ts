/**
 * The test kit of the contract between resource and a core system. It owns showing, over the wire and with what a test PSU
 * has, that a core system keeps the contract; `core-contract/README.md` has the clauses. It changes nothing there but what its last
 * checks order, where somebody is named to be paid.
 */
import type { KitScene } from "./kit-scene.ts";

/** One promise of the contract, and how it is shown. */
export interface KitCheck {
  /** Of `core-contract/README.md`. */
  readonly clause: string;
  readonly title: string;
  /** Gives what was seen, in a few words; throws `Shortcoming` or `NotShown`, or whatever the connector would throw. */
  readonly show: (scene: KitScene) => Promise<string>;
}

/** The core system does not keep the contract; `message` says where, for its developer. */
export class Shortcoming extends Error {
  /** What `KitCore` gave, where this alone shows it; undefined where several answers do. */
  readonly answer: object | undefined;

  constructor(message: string, answer?: object) {
    super(message);
    this.name = "Shortcoming";
    this.answer = answer;
  }
}

/** What the test PSU has is not enough to show it; `message` says what is needed. */
export class NotShown extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotShown";
  }
}

/** There is nothing to show anything with; `message` says why, for whoever runs the kit. */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotRun";
  }
}

/** So many of something, in words of one and of many. */
export function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

/** Throws a `Shortcoming` unless something is so; `answer` is the one that shows it, where one does. */
export function requireSo(isSo: boolean, otherwise: string, answer?: object): asserts isSo {
  if (!isSo) throw new Shortcoming(otherwise, answer);
}
