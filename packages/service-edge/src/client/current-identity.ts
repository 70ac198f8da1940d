/** The certificate and key with which a client identifies itself; both PEM. */
export interface ClientIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Returns the identity in force now: the same object until it is renewed. */
export type CurrentIdentity = () => ClientIdentity;
