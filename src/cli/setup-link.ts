import { toLink } from "../accounts/links.ts";
import { Refusal } from "../errors.ts";
import { toBaseUrl } from "../http/base-url.ts";
import { createSetUpLink } from "../tasks/operator-links.ts";
import { answer, type Command } from "./command.ts";
import { withStore } from "./with-store.ts";

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
