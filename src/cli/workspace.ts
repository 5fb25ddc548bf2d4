import { listWorkspaces, type WorkspaceRow } from "../store/workspaces.ts";
import { answer, type Command } from "./command.ts";
import { readName } from "./name.ts";
import { toTable } from "./table.ts";
import { withStore } from "./with-store.ts";

export const workspaceList: Command = {
  name: "workspace list",
  summary: "List the workspaces with their seed addresses.",
  usage: "workspace list [--json]",
  example: "assay workspace list --json",
  positionals: { min: 0, max: 0 },
  options: {},
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const list = (await listWorkspaces(store.read)).map(toShown);
      const rows = list.map(({ id, name, seedAddress }) => [id, seedAddress ?? "none", name]);
      return answer(args, terminal, list, () => toTable([["ID", "SEED ADDRESS", "NAME"], ...rows]));
    }),
};

export const workspaceCreate: Command = {
  name: "workspace create",
  summary: "Create a workspace with an active seed inbox.",
  usage: "workspace create <name> [--json]",
  example: "assay workspace create Marketing",
  positionals: { min: 1, max: 1 },
  options: {},
  run: (args, terminal) =>
    withStore(args, terminal, async ({ config, store, system, plans }) => {
      const { createWorkspace } = await import("../tasks/workspaces.ts");
      const [seedDomain = ""] = config.seedDomains;
      const created = toShown(
        await createWorkspace(store, system, {
          name: readName(args.positionals[0], "A workspace"),
          seedDomain,
          plan: plans.fallback.name,
        }),
      );
      const text = `Workspace ${created.id} takes mail at ${created.seedAddress}.`;
      return answer(args, terminal, created, () => text);
    }),
};

function toShown(row: WorkspaceRow): { id: string; name: string; seedAddress: string | null } {
  return { id: row.id, name: row.name, seedAddress: row.seed_address };
}
