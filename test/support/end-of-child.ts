import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Returns how a process ended, and its error output. */
export async function endOfChild(
  child: ChildProcess,
): Promise<{ readonly code: unknown; readonly complaint: string }> {
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    complaint += text;
  });
  const [code] = await once(child, "close");
  return { code, complaint };
}
