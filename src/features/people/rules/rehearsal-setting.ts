// Whether a rehearsal may take place. A refused message surprises a stranger, so on a listener that everyone can reach an
// owner must turn it on first.

export const rehearsalSettings = ["on", "off"] as const;
/** Null: turned on only for clients on this machine or a private network. */
export type RehearsalSetting = (typeof rehearsalSettings)[number] | null;

export function isRehearsed(setting: RehearsalSetting, reach: "machine" | "network" | "all"): boolean {
  return setting === null ? reach !== "all" : setting === "on";
}
