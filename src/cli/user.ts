import { readEmail } from "../accounts/emails.ts";
import { toLink } from "../accounts/links.ts";
import { Refusal } from "../errors.ts";
import { toBaseUrl } from "../http/base-url.ts";
import { listUsers } from "../store/users.ts";
import { createPasswordReset } from "../tasks/operator-links.ts";
import { answer, type Command } from "./command.ts";
import { toTable } from "./table.ts";
import { withStore } from "./with-store.ts";

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
