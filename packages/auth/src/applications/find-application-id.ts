import { type ApplicationId, ContentRefusal, parseApplicationId } from "@cobs/cobs-model";

/** Takes what a request calls a client id; undefined when no application can have it. */
export function findApplicationId(text: unknown): ApplicationId | undefined {
  try {
    return parseApplicationId(text);
  } catch (error) {
    if (error instanceof ContentRefusal) return undefined;
    throw error;
  }
}
