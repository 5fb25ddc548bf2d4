import { readEmail } from "../accounts/emails.ts";
import { toLink } from "../accounts/links.ts";
import { Refusal } from "../errors.ts";
import { toBaseUrl } from "../http/client-address.ts";
import { listUsers } from "../store/people/users.ts";
import { listWorkspaces, type WorkspaceRow } from "../store/people/workspaces.ts";
import { createPasswordReset, createSetUpLink } from "../tasks/accounts/operator-links.ts";
import { answer, type Command } from "./command.ts";
import { toTable } from "./table.ts";
import { readName, withStore } from "./with-store.ts";

export const userList: Command = {
  name: "user list",
  summary: "List the people who have an account, with their workspaces.",
  usage: "user list [--json]",
  example: "assay user list",
  positionals: { min: 0, max: 0 },
  options: {},
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const list = (await listUsers(store.read)).map((user) => ({
        id: user.id,
        name: user.name,
        email: user.email,
        createdAt: new Date(user.created_at).toISOString(),
        workspaces: user.workspaces,
      }));
      const rows = list.map(({ id, email, name, workspaces }) => [
        id,
        email,
        name,
        workspaces.map((workspace) => `${workspace.role} of ${workspace.name}`).join(", "),
      ]);
      return answer(args, terminal, list, () => toTable([["ID", "E-MAIL", "NAME", "WORKSPACES"], ...rows]));
    }),
};

export const userResetPassword: Command = {
  name: "user reset-password",
  summary: "Print a link that sets a new password; the old one and all sessions of the person end at once.",
  usage: "user reset-password <e-mail> [--json]",
  example: "assay user reset-password ann@example.com",
  positionals: { min: 1, max: 1 },
  options: {},
  run: (args, terminal) =>
    withStore(args, terminal, async ({ config, store, system }) => {
      const email = readEmail(args.positionals[0] ?? "");
      if (email === undefined)
        throw new Refusal("invalid_email", "This is no e-mail address; it should look like ann@example.com.");
      const { secret, expiresAt } = await createPasswordReset(store, system, email);
      const link = toLink("passwordReset", toBaseUrl(config, config.httpPort), secret);
      const shown = { email, link, expiresAt: new Date(expiresAt).toISOString() };
      const text = `${link}\n\nGive it to ${email}. It opens once, within 24 hours; until then no password opens the account. Their API tokens go on: assay token revoke ends one.`;
      return answer(args, terminal, shown, () => text);
    }),
};

export const setUpLink: Command = {
  name: "setup-link",
  summary: "Print a new link that creates the owner's account; those before it open nothing more.",
  usage: "setup-link [--json]",
  example: "assay setup-link",
  positionals: { min: 0, max: 0 },
  options: {},
  run: (args, terminal) =>
    withStore(args, terminal, async ({ config, store, system }) => {
      const created = await createSetUpLink(store, system);
      if (created === null)
        throw new Refusal(
          "conflict",
          "This server has an owner already. If they forgot their password: assay user reset-password <e-mail>; assay user list shows who there is.",
        );
      const link = toLink("setUp", toBaseUrl(config, config.httpPort), created.secret);
      const expiresAt = new Date(created.expiresAt).toISOString();
      const text = `${link}\n\nIt opens once, within 24 hours, in a browser that reaches the running server.`;
      return answer(args, terminal, { link, expiresAt }, () => text);
    }),
};

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
      const { createWorkspace } = await import("../tasks/accounts/workspaces.ts");
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
