/**
 * Part of a batch failed, and there may be more of the rest, which should not wait for it. Has the code and message of its
 * cause.
 */
export class PartFailed extends Error {
  override readonly name = "PartFailed";
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const hasCode = cause instanceof Error && "code" in cause && typeof cause.code === "string";
    this.code = hasCode ? String(cause.code) : undefined;
  }
}
