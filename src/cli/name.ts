import { name } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";

/** The same rule as in the API, so that the command line creates nothing that the API would reject. */
export function readName(text: string | undefined, what: string): string {
  const reading = name.safeParse(text ?? "");
  if (!reading.success) throw new Refusal("missing_name", `${what} must have 1 to 100 characters.`);
  return reading.data;
}
