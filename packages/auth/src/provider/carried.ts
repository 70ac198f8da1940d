/**
 * What goes along with an object, such as with a call from one hook of the provider to the next, and ends with it.
 *
 * It stands in the object itself. In a `WeakMap` that is older than the call, V8 would hold it through every collection of
 * young garbage, and with it all that the call has made: each call would stay whole until the next full collection.
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
