import { type ApplicationId, ContentRefusal, parseApplicationId } from "@cobs/cobs-model";

/** Parses a client id from a request; undefined when no application can have it. */
export function findApplicationId(text: unknown): ApplicationId | undefined {
  try {
    return parseApplicationId(text);
  } catch (error) {
    if (error instanceof ContentRefusal) return undefined;
    throw error;
  }
}
