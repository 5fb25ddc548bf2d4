import { answer, type Command, type Terminal, toExitCodeHelp } from "../../platform/cli/command.ts";
import { serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { toTable } from "../../platform/table.ts";
import { workspaceOption } from "../people/command/token.ts";
import { withServer } from "../server/command/with-server.ts";
import { type Alert, listAlerts } from "./contract/alerts.ts";
import { serviceNames, toService, toStateWord } from "./words.ts";

export const alerts: Command = {
  group: "use",
  name: "alerts",
  summary: "List a server's alerts, with their last delivery.",
  usage: "alerts [options]",
  example: "assay alerts --json",
  positionals: { min: 0, max: 0 },
  options: { ...serverOptions, workspace: workspaceOption },
  details: () => toExitCodeHelp({ 0: "OK", 2: "usage error", ...serverExitCodes }),
  run: (args, terminal) =>
    withServer(args, terminal, async (server) => {
      const { items } = await server.call(listAlerts);
      return answer(args, terminal, items, () => toList(items, terminal));
    }),
};

function toList(items: readonly Alert[], { columns }: Terminal): string {
  if (items.length === 0) return "No alerts.";
  const rows = items.map((alert) => [
    alert.id,
    toServiceName(alert),
    toStateWord(alert),
    alert.lastDelivery === null ? "none yet" : alert.lastDelivery.at.slice(0, 16).replace("T", " "),
    alert.events.join(","),
    alert.label,
  ]);
  return toTable([["ID", "TYPE", "STATUS", "LAST DELIVERY (UTC)", "EVENTS", "NAME"], ...rows], columns);
}

/** A newer server may have services that this version doesn't know. */
function toServiceName(alert: Alert): string {
  const service = toService(alert);
  return serviceNames[service] ?? service;
}
