import { name } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";

/** A name as the interface takes it, so that the command line makes nothing that it would refuse. */
export function readName(text: string | undefined, what: string): string {
  const reading = name.safeParse(text ?? "");
  if (!reading.success) throw new Refusal("missing_name", `${what} takes a name of 1 to 100 characters.`);
  return reading.data;
}
