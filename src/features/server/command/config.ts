import { type Command, exitCodes } from "../../../platform/cli/command.ts";
import { type Config, type Setting, settings } from "../../../platform/settings/config.ts";
import { toShown, toValueText } from "../../../platform/settings/setting-kinds.ts";
import { toTable } from "../../../platform/table.ts";
import { loadWithSaved } from "./saved-settings.ts";

export const config: Command = {
  group: "run",
  name: "config",
  summary: "Show all settings, their values, and where they come from. Secrets are hidden.",
  usage: "config [--config <file>] [--json]",
  example: "ASSAY_HTTP_PORT=9000 assay config",
  details: () =>
    "A value comes from the environment or the settings file (set), from the app (changed in the app), or is the default, in parentheses.",
  run: async (args, terminal) => {
    const loaded = await loadWithSaved(args, terminal);
    const rows = toRows(loaded.config);
    const toSource = (name: string) =>
      loaded.saved.includes(name) ? "changed in the app" : loaded.given.includes(name) ? "set" : "";
    const json = () => JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])), null, 2);
    const text = () =>
      toTable(
        rows.map(({ name, shown, doc }) => [name, shown, toSource(name), doc]),
        terminal.columns,
      );
    terminal.out(`${args.flag("json") ? json() : text()}\n`);
    return exitCodes.fine;
  },
};

type Row = { readonly name: string; readonly value: unknown; readonly shown: string; readonly doc: string };

function toRows(current: Config): Row[] {
  return Object.entries(settings).map(([key, entry]) => {
    const setting: Setting<unknown> = entry;
    const value = toShown(setting, current[key as keyof Config]);
    const isDefault = JSON.stringify(value) === JSON.stringify(setting.fallback);
    return {
      name: setting.name,
      value,
      shown: isDefault ? `(${setting.fallbackText})` : toValueText(value),
      doc: setting.doc,
    };
  });
}
