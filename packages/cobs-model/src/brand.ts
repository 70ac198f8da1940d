declare const brand: unique symbol;

/** A string that only the parser of `Name` makes, so that it needs no second check. */
export type Brand<Name extends string> = string & { readonly [brand]: Name };
