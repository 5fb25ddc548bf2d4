import { type Alert, listAlerts } from "../api/alerts.ts";
import { toTable } from "../formats/table.ts";
import { answer, type Command, type Terminal, toExitCodeHelp } from "./command.ts";
import { serverExitCodes, serverOptions } from "./server.ts";
import { workspaceOption } from "./token.ts";
import { withServer } from "./with-server.ts";

export const alerts: Command = {
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
  const rows = items.map(({ id, kind, enabled, lastDelivery, events, label }) => [
    id,
    kind,
    enabled ? "on" : "off",
    lastDelivery === null
      ? "never"
      : `${lastDelivery.at.slice(0, 16).replace("T", " ")} ${lastDelivery.status}`,
    events.join(","),
    label,
  ]);
  return toTable([["ID", "KIND", "STATE", "LAST DELIVERY (UTC)", "EVENTS", "LABEL"], ...rows], columns);
}
