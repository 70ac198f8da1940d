/** Whether an error of the file system says that the path does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** A handler for `catch` that gives `stand` in place of a missing file or folder, and throws every other error on. */
export function ifMissing<T>(stand: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return stand;
    throw error;
  };
}

/** Whether an error of the operating system says that access is denied. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, "EACCES") || hasCode(error, "EPERM");
}

const UNWRITABLE_CODES = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];

/** Whether an error of the operating system says that there is no space left, or that writing is denied. */
export function isUnwritable(error: unknown): error is Error {
  return UNWRITABLE_CODES.some((code) => hasCode(error, code));
}

/** Whether an error has this `code`, as errors of the operating system and of module loading do. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
