import { type SandboxDocument, writeSandboxDocument } from "../sandbox-folder/sandbox-document.ts";

/** The document of a running sandbox, rewritten whenever a pid changes. */
export interface OpenDocument {
  /** Writes what `present` gives, and remembers `present` for rewriting. */
  write(present: () => SandboxDocument): Promise<SandboxDocument>;
  /** Does nothing before the first `write`. */
  rewrite(): Promise<void>;
}

/** Opens the document for writing; writes run one after the other. */
export function openDocument(file: string): OpenDocument {
  let present: (() => SandboxDocument) | undefined;
  let last: Promise<void> = Promise.resolve();
  const rewrite = (): Promise<void> => {
    const write = async () => {
      if (present !== undefined) await writeSandboxDocument(file, present());
    };
    last = last.then(write, write);
    return last;
  };
  return {
    rewrite,
    write: async (presentNow) => {
      present = presentNow;
      await rewrite();
      return presentNow();
    },
  };
}
