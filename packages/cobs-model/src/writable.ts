/**
 * An object while it is put together. A member that may be absent is assigned: in a literal a spread that is not the first
 * costs fifty times as much, and a page has hundreds of them.
 */
export type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
