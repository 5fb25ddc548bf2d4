import type { ComponentChildren } from "preact";
import { toVolumeBasis } from "../../analyzer/words/volume-words.ts";
import { toPlacementRows, toStanding } from "./placement-row.ts";
import type { ShownTest } from "./shown-test.ts";

type BasisProps = { readonly test: ShownTest; readonly children: ComponentChildren };

/** The sending volume that the predictions assume. Shared reports leave it out. */
export function VolumeBasis({ test, children }: BasisProps) {
  const { sending_volume = null, kind } = test;
  const isBoth = dependsOnVolume(test);
  if (!isBoth && (sending_volume === null || kind !== "bulk")) return null;
  return (
    <p class="small volume-basis">
      {sending_volume === null
        ? "Some rules apply only if you send 5,000 or more messages a day. If that changes a prediction, both versions are shown."
        : toVolumeBasis(sending_volume)}{" "}
      {children}
    </p>
  );
}

export function dependsOnVolume(test: ShownTest): boolean {
  return toPlacementRows(test).some(
    (row) => toStanding(row) === "predicted" && (row.predicted?.if_large ?? null) !== null,
  );
}
