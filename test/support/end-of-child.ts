import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How a process ended, and what it had complained of. */
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
