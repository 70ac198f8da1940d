/**
 * An object under construction. Members that may be absent are assigned, because a spread in a literal, unless it comes first,
 * costs fifty times as much, and a page has hundreds of them.
 */
export type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
