import type { RevocationSources } from "../certificates/tpp-certificate.ts";

/** What every command works with. */
export interface CommandContext {
  /** The folder of certificates of the sandbox, whether there is one or not; absolute. */
  readonly sandboxCertificates: string;
  /** Where certificates say that revocation is asked, unless told otherwise. */
  readonly sources: RevocationSources;
  readonly now: () => Date;
  /** Says what is going on, to the person at the terminal. */
  readonly tell: (text: string) => void;
  /** Resolves when the person at the terminal wants an end. */
  readonly interrupted: () => Promise<void>;
}

/** What a command found, for programs and for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** Whether a certificate was refused, which ends with exit code 1. */
  readonly refused?: boolean;
}
