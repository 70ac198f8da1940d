/** Starts a service as the bench does, in the environment of this process. */
import { startInProcesses } from "../../../scripts/bench/processes/service-in-processes.ts";

const cores = { server: [], others: [], shared: [], pinned: false };
await startInProcesses({ name: "resource", count: 1, cores, beside: process.pid });
