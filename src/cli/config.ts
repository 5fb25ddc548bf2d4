import { type Config, type Setting, settings } from "../config.ts";
import { toTable } from "../formats/table.ts";
import {
  type ListenAddress,
  type PrivateTargets,
  toHostPort,
  type VerifiedDomain,
} from "../setting-kinds.ts";
import { type Command, exitCodes } from "./command.ts";
import { loadConfig } from "./settings.ts";

export const config: Command = {
  name: "config",
  summary: "Show all settings and their values. Secrets are hidden.",
  usage: "config [--config <file>] [--json]",
  example: "ASSAY_HTTP_PORT=9000 assay config",
  positionals: { min: 0, max: 0 },
  options: {},
  run: async (args, terminal) => {
    const rows = toRows(await loadConfig(args, terminal));
    const json = () =>
      JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])), null, 2);
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
    const value = mask(setting, current[key as keyof Config]);
    const isDefault = JSON.stringify(value) === JSON.stringify(setting.fallback);
    return {
      name: setting.name,
      value,
      shown: isDefault ? `(${setting.fallbackText})` : shownValue(value),
      doc: setting.doc,
    };
  });
}

function mask(setting: Setting<unknown>, value: unknown): unknown {
  const isSet = value !== null && !(setting.members && Object.keys(value as object).length === 0);
  if (setting.secret && isSet) return "(set, hidden)";
  return setting.kind.toShown ? setting.kind.toShown(value) : value;
}

/** As written in the environment, if it can be. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(",");
  if (typeof value !== "object" || value === null) return String(value);
  if ("host" in value && "port" in value) return toHostPort(value as ListenAddress);
  if ("workspaceId" in value) return toVerified(value as VerifiedDomain);
  if ("networks" in value) return toTargets(value as PrivateTargets);
  return JSON.stringify(value);
}

function toVerified({ domain, workspaceId }: VerifiedDomain): string {
  return workspaceId === null ? domain : `${domain}=${workspaceId}`;
}

function toTargets({ all, networks }: PrivateTargets): string {
  return all ? "1" : networks.join(",");
}
