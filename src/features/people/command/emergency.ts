import { type Arguments, answer, type Command, type ExitCode, type Terminal } from "../../../platform/cli/command.ts";
import { readEmail } from "../../../platform/contract/emails.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toBaseUrl } from "../../../platform/http/client-address.ts";
import { type CommandContext, withStore } from "../../server/command/with-store.ts";
import { auditedUser } from "../audited.ts";
import { toLink } from "../rules/links.ts";
import { addEmergencyAccount, endEmergencyAccount } from "../work/emergency.ts";
import { createPasswordReset } from "../work/operator-links.ts";

export const userEmergency: Command = {
  group: "people",
  name: "user emergency",
  summary:
    "Make an owner of the first workspace who can log in with a password when your organization's login is down.",
  usage: "user emergency <email> [--remove] [--json]",
  example: "assay user emergency admin@example.com",
  positionals: { min: 1, max: 1 },
  options: { remove: { doc: "The account can no longer use its password in emergencies." } },
  run: (args, terminal) => {
    const isRemoval = args.flag("remove");
    const action = isRemoval ? "emergency.remove" : "emergency.add";
    const work = (context: CommandContext) => {
      const email = readEmail(args.positionals[0] ?? "");
      if (email === undefined)
        throw new Refusal("invalid_email", "This is not an email address. It should look like ann@example.com.");
      return isRemoval ? end(email, context, { args, terminal }) : add(email, context, { args, terminal });
    };
    return withStore(args, terminal, work, { action, object: auditedUser, log: "person" });
  },
};

type Asked = { readonly args: Arguments; readonly terminal: Terminal };

async function end(email: string, { store }: CommandContext, { args, terminal }: Asked): Promise<ExitCode> {
  await endEmergencyAccount(store, email);
  const text = `${email} is no longer an emergency account.`;
  return answer(args, terminal, { email, emergency: false }, () => text);
}

async function add(
  email: string,
  { config, store, system }: CommandContext,
  { args, terminal }: Asked,
): Promise<ExitCode> {
  const { hasPassword } = await addEmergencyAccount(store, system, email);
  const link = hasPassword ? null : await createPasswordReset(store, system, email);
  const url = link && toLink("passwordReset", toBaseUrl(config, config.httpPort), link.secret);
  const expiresAt = link && new Date(link.expiresAt).toISOString();
  const how =
    url === null
      ? "It keeps its password."
      : `Set its password here:\n${url}\n\nThe link works once and expires after 24 hours.`;
  const text = `${email} is an owner of the first workspace and an emergency account. ${how}\nEach login with this password is logged as a warning.`;
  return answer(args, terminal, { email, emergency: true, link: url, expiresAt }, () => text);
}
