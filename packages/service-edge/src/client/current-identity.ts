/** What a client shows of itself; both PEM. */
export interface ClientIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Gives what is shown at this moment: the same object until it is renewed. */
export type CurrentIdentity = () => ClientIdentity;
