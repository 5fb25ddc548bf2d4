// The size of the HTML part as Gmail counts it, next to the size from which Gmail clips a message.

import { clipBytes, nearBytes } from "../../analyzer/checks/rendering/clip-bytes.ts";
import { toSize } from "../client/words.ts";
import { toPercentage } from "../parts/charts.tsx";
import { Severity } from "../parts/tone.tsx";

/** `bytes`: null without HTML, which shows nothing. */
export function SizeGauge({ bytes }: { readonly bytes: number | null }) {
  if (bytes === null) return null;
  const clipped = Math.max(bytes - clipBytes, 0);
  const whole = Math.max(bytes, clipBytes * 1.2);
  const tone = bytes >= clipBytes ? "major" : bytes >= nearBytes ? "minor" : "info";
  const limit = `about ${toSize(clipBytes)}`;
  const says = {
    major: `Gmail clips at ${limit}. The last ${toSize(clipped)} would be hidden.`,
    minor: `Close to ${limit}, where Gmail clips messages.`,
    info: `Gmail clips messages at ${limit}.`,
  };
  return (
    <figure class="size-gauge">
      <svg aria-hidden="true">
        <rect class="track" width="100%" height="10" y="5" rx="2" />
        <rect class="shown" width={toPercentage(Math.min(bytes, clipBytes) / whole)} height="10" y="5" rx="2" />
        <rect class="cut" x={toPercentage(clipBytes / whole)} width={toPercentage(clipped / whole)} height="10" y="5" />
        <line x1={toPercentage(clipBytes / whole)} x2={toPercentage(clipBytes / whole)} y2="20" />
      </svg>
      <figcaption class="small">
        <Severity tone={tone}>{toSize(bytes)} of HTML</Severity>
        <span class="muted">{says[tone]}</span>
      </figcaption>
    </figure>
  );
}
