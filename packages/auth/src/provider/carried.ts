/**
 * A value attached to an object, such as from one hook of the provider to the next on its call, that lives as long as
 * the object.
 *
 * It is stored in the object itself. V8 keeps the entries of a `WeakMap` that is older than the call through every
 * minor garbage collection, and with them everything the call has allocated: each call would stay in memory until the
 * next full collection.
 */
export class Carried<T> {
  readonly #name = Symbol("carried");

  put(carrier: object, value: T): void {
    (carrier as Record<symbol, T>)[this.#name] = value;
  }

  of(carrier: object): T | undefined {
    return (carrier as Record<symbol, T | undefined>)[this.#name];
  }
}
