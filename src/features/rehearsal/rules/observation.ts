// What the attempts of a rehearsal can show about the sender, with the standard's section.

import { type Data, fill } from "../../../analyzer/checks/words.ts";
import observations from "./observations.json" with { type: "json" };

export type Observation = {
  readonly id: string;
  /** `waiting`: it may still change. */
  readonly tone: "good" | "bad" | "info" | "waiting";
  readonly says: string;
  readonly section: string | null;
};

/** `data` fills the places of the sentence. */
export function observe(id: keyof typeof observations, data: Data = {}): Observation {
  const { tone, section, says } = observations[id];
  return { id, tone: tone as Observation["tone"], section, says: fill(says, data) };
}
