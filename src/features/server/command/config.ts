import { type Command, exitCodes } from "../../../platform/cli/command.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { type Config, type Setting, settings } from "../../../platform/settings/config.ts";
import { toShown, toValueText } from "../../../platform/settings/setting-kinds.ts";
import { toTable } from "../../../platform/table.ts";

export const config: Command = {
  group: "run",
  name: "config",
  summary: "Show all settings and their values. Secrets are hidden.",
  usage: "config [--config <file>] [--json]",
  example: "ASSAY_HTTP_PORT=9000 assay config",
  details: () => "What was changed in the app is shown there, under Settings > Server.",
  run: async (args, terminal) => {
    const rows = toRows(await loadConfig(args, terminal));
    const json = () => JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])), null, 2);
    const text = () =>
      toTable(
        rows.map(({ name, shown, doc }) => [name, shown, doc]),
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
