import { answer, type Command } from "../../../platform/cli/command.ts";
import { program } from "../../../platform/cli/invocation.ts";
import { readEmail } from "../../../platform/contract/emails.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toBaseUrl } from "../../../platform/http/client-address.ts";
import { toTable } from "../../../platform/table.ts";
import { announceRights } from "../../events/work/relay.ts";
import { readName, withStore } from "../../server/command/with-store.ts";
import { auditedUser, auditedWorkspace } from "../audited.ts";
import { findUserByEmail, listUsers } from "../rows/users.ts";
import { listWorkspaces, type WorkspaceRow } from "../rows/workspaces.ts";
import { toLink } from "../rules/links.ts";
import { createPasswordReset, createSetUpLink, resetSecondFactors } from "../work/operator-links.ts";
import { mayUsePassword, type PasswordUseTerms } from "../work/password-use.ts";

export const userList: Command = {
  group: "people",
  name: "user list",
  summary: "List all users and their workspaces.",
  usage: "user list [--json]",
  example: "assay user list",
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const list = (await listUsers(store.read)).map((user) => ({
        id: user.id,
        name: user.name,
        email: user.email,
        createdAt: new Date(user.created_at).toISOString(),
        emergency: user.emergency,
        workspaces: user.workspaces,
      }));
      const rows = list.map(({ id, email, name, emergency, workspaces }) => [
        id,
        email,
        emergency ? `${name} (emergency account)` : name,
        workspaces.map((workspace) => `${workspace.name} (${workspace.role})`).join(", "),
      ]);
      return answer(args, terminal, list, () => toTable([["ID", "EMAIL", "NAME", "WORKSPACES"], ...rows]));
    }),
};

export const userResetPassword: Command = {
  group: "people",
  name: "user reset-password",
  summary: "Print a link to set a new password. Ends all of the user's sessions.",
  usage: "user reset-password <email> [--json]",
  example: "assay user reset-password ann@example.com",
  positionals: { min: 1, max: 1 },
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system }) => {
        const email = readAddress(args.positionals[0]);
        await refuseUnusedPassword({ config, store }, email);
        const { secret, expiresAt, userId } = await createPasswordReset(store, system, email);
        await announceRights(store, [userId]);
        const link = toLink("passwordReset", toBaseUrl(config, config.httpPort), secret);
        const shown = { email, link, expiresAt: new Date(expiresAt).toISOString() };
        const text = `${link}\n\nSend this link to ${email}. It works once and expires after 24 hours. The old password no longer works.\nAPI tokens stay valid. To revoke one: ${program} token revoke <tok_…>`;
        return answer(args, terminal, shown, () => text);
      },
      { action: "password.reset-link", object: auditedUser, log: "person" },
    ),
};

async function refuseUnusedPassword(terms: PasswordUseTerms, email: string): Promise<void> {
  const user = await findUserByEmail(terms.store.read, email);
  if (user === undefined || (await mayUsePassword(terms, user.id))) return;
  throw new Refusal(
    "conflict",
    `${email} logs in with their organization, because ASSAY_LOGIN is oidc. For a password in emergencies: ${program} user emergency ${email}`,
  );
}

export const userResetSecondFactor: Command = {
  group: "people",
  name: "user reset-second-factor",
  summary: "Remove a user's authenticator apps, passkeys, and recovery codes. Ends all of the user's sessions.",
  usage: "user reset-second-factor <email> [--json]",
  example: "assay user reset-second-factor ann@example.com",
  positionals: { min: 1, max: 1 },
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store }) => {
        const email = readAddress(args.positionals[0]);
        const { removed, userId } = await resetSecondFactors(store, email);
        await announceRights(store, [userId]);
        const factors = removed === 1 ? "1 second factor was" : `${removed} second factors were`;
        const text = `${factors} removed. ${email} can log in with the password alone, and can add new ones under Settings, Account.`;
        return answer(args, terminal, { email, removed }, () => text);
      },
      { action: "second-factor.reset", object: auditedUser, log: "person" },
    ),
};

function readAddress(typed = ""): string {
  const email = readEmail(typed);
  if (email !== undefined) return email;
  throw new Refusal("invalid_email", "This is not an email address. It should look like ann@example.com.");
}

export const setUpLink: Command = {
  group: "people",
  name: "setup-link",
  isFirst: true,
  summary: "Print a new setup link for the owner account. Older links stop working.",
  usage: "setup-link [--json]",
  example: "assay setup-link",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system }) => {
        const created = await createSetUpLink(store, system);
        if (created === null)
          throw new Refusal(
            "conflict",
            `This server already has an owner. Forgot the password? ${program} user reset-password <email>`,
          );
        const link = toLink("setUp", toBaseUrl(config, config.httpPort), created.secret);
        const expiresAt = new Date(created.expiresAt).toISOString();
        const text = `${link}\n\nOpen it in a browser to create the owner account. The server must be running.\nThe link works once and expires after 24 hours.`;
        return answer(args, terminal, { link, expiresAt }, () => text);
      },
      { action: "setup.link", log: "server" },
    ),
};

export const workspaceList: Command = {
  group: "people",
  name: "workspace list",
  summary: "List all workspaces and their seed addresses.",
  usage: "workspace list [--json]",
  example: "assay workspace list --json",
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const list = (await listWorkspaces(store.read)).map(toShown);
      const rows = list.map(({ id, name, seedAddress }) => [id, seedAddress ?? "none", name]);
      return answer(args, terminal, list, () => toTable([["ID", "SEED ADDRESS", "NAME"], ...rows]));
    }),
};

export const workspaceCreate: Command = {
  group: "people",
  name: "workspace create",
  summary: "Create a workspace with a seed address.",
  usage: "workspace create <name> [--json]",
  example: "assay workspace create Marketing",
  positionals: { min: 1, max: 1 },
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system, plans }) => {
        const { createWorkspace } = await import("../work/workspaces.ts");
        const [seedDomain = ""] = config.seedDomains;
        const created = toShown(
          await createWorkspace(store, system, {
            name: readName(args.positionals[0], "A workspace name"),
            seedDomain,
            plan: plans.fallback.name,
          }),
        );
        const text = `Created workspace ${created.id}. Its seed address is ${created.seedAddress}.`;
        return answer(args, terminal, created, () => text);
      },
      { action: "workspace.create", object: auditedWorkspace, log: "both" },
    ),
};

function toShown(row: WorkspaceRow): { id: string; name: string; seedAddress: string | null } {
  return { id: row.id, name: row.name, seedAddress: row.seed_address };
}
