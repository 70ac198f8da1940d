import type { RevocationSources } from "../certificates/tpp-certificate.ts";

/** What every command needs. */
export interface CommandContext {
  /** The sandbox's folder of certificates, absolute, whether it exists or not. */
  readonly sandboxCertificates: string;
  /** Default revocation sources for certificates. */
  readonly sources: RevocationSources;
  readonly now: () => Date;
  /** Reports progress to the person at the terminal. */
  readonly tell: (text: string) => void;
  /** Resolves when the person interrupts the command. */
  readonly interrupted: () => Promise<void>;
}

/** The result of a command, for programs and for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** Whether a certificate was refused, which ends with exit code 1. */
  readonly refused?: boolean;
}
