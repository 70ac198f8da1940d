/**
 * A value attached to an object that lives as long as the object, such as one passed between the provider's hooks on
 * its call.
 *
 * It is stored in the object itself. V8 keeps the entries of a `WeakMap` older than the call through every minor
 * garbage collection, with everything the call has allocated, so each call would stay in memory until the next full
 * collection.
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
