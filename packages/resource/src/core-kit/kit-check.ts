/**
 * The test kit for the contract between resource and a core system. It owns showing, over the wire and with the accounts of
 * test PSUs, that a core system keeps the contract, whose clauses are in `core-contract/README.md`. Only its last checks
 * change anything: they order payments, and only if a payee is named.
 */
import type { KitScene } from "./kit-scene.ts";

/** One promise of the contract, and how to show that it is kept. */
export interface KitCheck {
  /** Clause of `core-contract/README.md`. */
  readonly clause: string;
  readonly title: string;
  /** Gives in a few words what was seen. Throws `Shortcoming` or `NotShown`, or any error of the connector. */
  readonly show: (scene: KitScene) => Promise<string>;
}

/** The core system breaks the contract; `message` says where, for its developer. */
export class Shortcoming extends Error {
  /** The answer from `KitCore` that shows it; undefined if several answers together do. */
  readonly answer: object | undefined;

  constructor(message: string, answer?: object) {
    super(message);
    this.name = "Shortcoming";
    this.answer = answer;
  }
}

/** The test PSU's accounts are not enough to show a promise; `message` says what is needed. */
export class NotShown extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotShown";
  }
}

/** The kit cannot run at all; `message` says why, for the person who runs it. */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotRun";
  }
}

/** A count with its noun, in the singular or the plural. */
export function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}

/** Throws a `Shortcoming` unless a condition holds; `answer` is the one that shows it, if there is one. */
export function requireSo(isSo: boolean, otherwise: string, answer?: object): asserts isSo {
  if (!isSo) throw new Shortcoming(otherwise, answer);
}
