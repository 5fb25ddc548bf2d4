// Files of a release that are written from code, so that they can't be stale: the settings file and the manual page.

import { version } from "../../src/analyzer/version.ts";
import { commandGroups } from "../../src/commands.ts";
import { type Command, toHelp } from "../../src/platform/cli/command.ts";
import { type Setting, settings } from "../../src/platform/settings/config.ts";
import { settingNames } from "../../src/platform/settings/config-reading.ts";

const dataDir = "/var/lib/assay";

/** Every setting commented out, except the data directory: commands need it to find the service's data. */
export function toSettingsFile(): string {
  const head = [
    "# Settings of Assay, one NAME=value per line. Remove the # before a name to change it.",
    "# To check them:  runuser -u assay -- assay config --config /etc/assay.env",
    "# To apply them:  systemctl restart assay",
    "#",
    "# Assay listens on this machine only. To receive mail from the internet, set ASSAY_SMTP_LISTEN=0.0.0.0:25,",
    "# ASSAY_SMTP_HOSTNAME and ASSAY_SEED_DOMAINS. For the web app, put a reverse proxy in front.",
  ];
  return `${[...head, ...Object.values(settings).flatMap(toSettingLines)].join("\n")}\n`;
}

function toSettingLines(setting: Setting<unknown>): string[] {
  const about = [
    "",
    ...wrap(setting.doc, 100).map((line) => `# ${line}`),
    `# Value: ${setting.kind.takes}. Default: ${setting.fallbackText}.`,
  ];
  if (setting.name === settings.dataDir.name) return [...about, `${setting.name}=${dataDir}`];
  return [...about, ...settingNames(setting).map((name) => `#${name}=${toWritten(setting)}`)];
}

/** A default that is described by words has no value to write. */
function toWritten({ fallback, fallbackText }: Setting<unknown>): string {
  const isEmpty = fallback === null || (Array.isArray(fallback) && fallback.length === 0);
  return isEmpty || fallbackText === "none" ? "" : fallbackText;
}

function wrap(text: string, columns: number): string[] {
  const lines = text.match(new RegExp(`.{1,${columns}}(?: |$)`, "g")) ?? [];
  return lines.map((line) => line.trimEnd());
}

export async function toManualPage(builtAt: Date): Promise<string> {
  const groups = await commandGroups();
  const sections = groups.flatMap(({ title, commands }) => [
    `.SH ${title.toUpperCase()}`,
    ...commands.flatMap((command) => [`.SS ${toRoff(command.name)}`, ".nf", toRoff(toHelpText(command)), ".fi"]),
  ]);
  return `${[
    `.TH ASSAY 1 ${builtAt.toISOString().slice(0, 10)} "Assay ${version}" "User Commands"`,
    ".SH NAME",
    "assay \\- test and monitor email deliverability",
    ".SH SYNOPSIS",
    "\\fBassay\\fR \\fIcommand\\fR [options]",
    ...sections,
    ".SH FILES",
    `.TP\n.I /etc/assay.env\nSettings of the service.\n.TP\n.I ${dataDir}\nIts data.`,
    ".SH SEE ALSO",
    "The handbook is part of the program: open /docs on the server.",
  ].join("\n")}\n`;
}

/** As the binary prints it, whose name is not that of a checkout. The table of settings is too wide for a page. */
function toHelpText(command: Command): string {
  const { details, ...rest } = command;
  const shown = command.name === "serve" || details === undefined ? rest : { ...rest, details };
  return toHelp(shown, 78).replaceAll("npm run -s assay --", "assay");
}

function toRoff(text: string): string {
  return text
    .trimEnd()
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}
