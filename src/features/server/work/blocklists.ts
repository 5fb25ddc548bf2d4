// The DNS lists that an operator turns on and off in the app. A keyed zone is named as it is shown, with `_key`.

import { findListRow, type ListChoice, listChoices, toBlocklistZone } from "../../../analyzer/dns/dnsbl.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { ServerSettings } from "./server-settings.ts";

type Blocklist = Omit<ListChoice, "zones"> & {
  readonly zones: readonly { readonly zone: string; readonly takesKey: boolean; readonly isOn: boolean }[];
};

/** All known lists, then the operator's own. */
export function listBlocklists({ dnsbls }: Pick<Config, "dnsbls">): readonly Blocklist[] {
  const on = new Set(dnsbls.map(({ zone }) => zone));
  const toZone = (zone: string) => ({ zone, takesKey: takesKey(zone), isOn: on.has(zone) });
  const own = [...on].filter((zone) => findListRow(zone) === undefined);
  return [
    ...listChoices.map(({ zones, ...list }) => ({ ...list, zones: zones.map(toZone) })),
    ...own.map((zone) => ({ kind: "own" as const, name: zone, terms: null, zones: [toZone(zone)] })),
  ];
}

export async function turnOnBlocklist(settings: ServerSettings, zone: string, key: string | undefined): Promise<void> {
  if (takesKey(zone) !== (key !== undefined))
    throw new Refusal(
      "invalid_request",
      takesKey(zone) ? "This list needs the key that its owner gave you." : "This list takes no key.",
      { field: "key" },
    );
  const asked = key === undefined ? zone : zone.replace(keyLabel, key);
  await settings.edit("dnsbls", (text) => [...withoutZone(text, zone), asked].join(","));
}

export async function turnOffBlocklist(settings: ServerSettings, zone: string): Promise<void> {
  await settings.edit("dnsbls", (text) => withoutZone(text, zone).join(","));
}

const keyLabel = /^_key(?=\.)/;

function takesKey(zone: string): boolean {
  return keyLabel.test(zone);
}

function withoutZone(text: string, zone: string): readonly string[] {
  const asked = text.split(",").map((each) => each.trim());
  return asked.filter((each) => each !== "" && toBlocklistZone(each).zone !== zone);
}
