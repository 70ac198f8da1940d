import { ConfigurationRefusal } from "@cobs/service-edge";

/** What a configuration is refused for when it is read, all of it; nothing where it is taken. */
export function configurationFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationRefusal) return error.faults;
    throw error;
  }
}
