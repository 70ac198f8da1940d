import type { Act, Actor } from "./act.ts";

/** An act of a person of the bank, as the certificate of the call proves it. */
export type OperatorAct = Act & { readonly actor: Extract<Actor, { readonly kind: "operator" }> };
