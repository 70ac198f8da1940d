import { ConfigurationRefusal } from "@cobs/service-edge";

/** All faults for which a configuration is refused when it is read; empty if it is accepted. */
export function configurationFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationRefusal) return error.faults;
    throw error;
  }
}
