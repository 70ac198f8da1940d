import type { Socket } from "node:net";

const SWEEP_MILLISECONDS = 1_000;

/**
 * Cuts calls whose caller has taken nothing of the answer for `limitMilliseconds`; returns a function that ends the watch.
 * Before there is an answer, the delay is ours. Node has a timer for each connection, but every read and write restarts it,
 * which costs a call as much as its admission. So a connection gets a timer only when an answer has not moved for a second;
 * Node then reports progress write by write.
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
