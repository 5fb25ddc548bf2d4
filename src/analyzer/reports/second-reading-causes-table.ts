// Why two readers differ. `message`: the message can be read in two ways, which is an issue. `choice`: the standards
// leave it open, and no one can be misled by it. `library`: mailparser or mailauth departs from the standard.
// `unknown`: no reason that we know.

import causes from "./second-reading-causes.json" with { type: "json" };

type Cause = {
  readonly blame: "message" | "choice" | "library" | "unknown";
  /** A sentence for the reader of the report. */
  readonly says: string;
};

export type CauseId = keyof typeof causes;

export const secondReadingCauses = causes as Readonly<Record<CauseId, Cause>>;

export function blameOf(cause: CauseId): Cause["blame"] {
  return secondReadingCauses[cause].blame;
}
