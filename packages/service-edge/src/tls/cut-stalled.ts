import type { Socket } from "node:net";

const SWEEP_MILLISECONDS = 1_000;

/**
 * Cuts calls whose caller takes nothing of the answer for so long; gives what ends the watch. As long as there is no answer yet,
 * it is we who work. Node has a timer for each connection, which every read and every write starts anew and which costs a call as
 * much as its admission. So a connection gets one only when an answer has not moved for a second; what moves is then told by
 * Node, write by write.
 */
export function cutStalled(busy: () => Iterable<Socket>, limitMilliseconds: number): () => void {
  const left = Math.max(1, limitMilliseconds - SWEEP_MILLISECONDS);
  let before = new Map<Socket, number>();
  const sweep = setInterval(() => {
    const now = new Map<Socket, number>();
    for (const socket of busy()) {
      const moved = socket.bytesRead + socket.bytesWritten;
      const waits = socket.writableLength > 0 && before.get(socket) === moved;
      if (waits && !socket.timeout) socket.setTimeout(left);
      now.set(socket, moved);
    }
    before = now;
  }, SWEEP_MILLISECONDS);
  sweep.unref();
  return () => clearInterval(sweep);
}
