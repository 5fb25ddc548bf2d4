// Reads JSON from strangers: another server's response, a file, a message part.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Null if the text is not a JSON object. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}

/** A problem for each key of an operator's file that has no meaning. `place` comes before it. */
export function unknownKeys(record: object, known: readonly string[], place: string): string[] {
  return Object.keys(record)
    .filter((key) => !known.includes(key))
    .map((key) => `${place}unknown key ${JSON.stringify(key.slice(0, 60))} (known: ${known.join(", ")})`);
}
