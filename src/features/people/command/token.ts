import { toVisible } from "../../../analyzer/visible-text.ts";
import { toList } from "../../../analyzer/words/plain-words.ts";
import { type Arguments, answer, type Command } from "../../../platform/cli/command.ts";
import { program } from "../../../platform/cli/invocation.ts";
import { expiryNoticeDays, type TokenScope, tokenScopes } from "../../../platform/contract/token-scopes.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, storeOf } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toBaseUrl } from "../../../platform/http/client-address.ts";
import { toTable } from "../../../platform/table.ts";
import { announceRights } from "../../events/work/relay.ts";
import { readName, withStore } from "../../server/command/with-store.ts";
import { readLabel } from "../../tests/contract/test-filters.ts";
import { auditedToken } from "../audited.ts";
import { findTokenById, listTokens } from "../rows/tokens.ts";
import { listWorkspaces, readWorkspaces, type WorkspaceRow } from "../rows/workspaces.ts";
import type { ApiTokensTable } from "../tables.ts";
import { issueToken, listJoinedWith, revokeToken } from "../work/tokens.ts";

export const workspaceOption = { value: "wsp_…", doc: "Workspace. Not needed if there is only one, or with a token." };

export const tokenList: Command = {
  group: "people",
  name: "token list",
  summary: "List the API tokens of a workspace.",
  usage: "token list [--workspace <wsp_…>] [--json]",
  example: "assay token list",
  options: { workspace: workspaceOption },
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store, system }) => {
      const { id } = await findWorkspace(store.read, args);
      const list = (await listTokens(inWorkspace(store.read, id))).map(toShown);
      const rows = list.map((token) => [
        token.id,
        token.scope,
        token.label ?? "(all)",
        toMinute(token.createdAt),
        token.lastUsedAt === null ? "never" : `${toMinute(token.lastUsedAt)} ${token.lastUsedAddress ?? ""}`,
        toEnd(token.expiresAt, system.now()),
        token.name,
      ]);
      const headings = ["ID", "SCOPE", "LABEL", "CREATED (UTC)", "LAST USED", "EXPIRES", "NAME"];
      return answer(args, terminal, list, () => toTable([headings, ...rows], terminal.columns));
    }),
};

export const tokenCreate: Command = {
  group: "people",
  name: "token create",
  summary: "Create an API token for a workspace.",
  usage: "token create --name <name> [options]",
  example: "assay token create --name ci --scope write --label ci --expires 90d",
  options: {
    workspace: workspaceOption,
    name: { value: "name", doc: "A name to recognize the token by." },
    scope: {
      value: "scope",
      doc: "read: see everything. write: also send and analyze tests, and manage domains and monitors. admin: also change settings. full: also manage members, tokens, and the workspace (default).",
    },
    label: { value: "label", doc: "Only tests with exactly this label (default: all tests)." },
    expires: { value: "when", doc: "When it expires: 90d, or a date like 2027-03-31 (default: never)." },
    "expires-in-days": { value: "days", doc: "The same as a number of days." },
  },
  details: () =>
    "For assay wait and assay report, read is enough. assay address needs read, assay send and assay upload write.\nWhen a token is revoked or expires, the tokens, invitations, and share links that it created end with it.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system }) => {
        const name = readName(args.option("name"), "--name");
        const workspace = await findWorkspace(store.read, args);
        const limits = { scope: readScope(args.option("scope")), label: readLabel(args.option("label")) };
        const expiresAt = readExpiry(args, system.now());
        const wanted = { name, createdBy: null, expiresAt, ...limits };
        const { row, token } = await issueToken(storeOf(store, workspace.id), system, wanted);
        const url = `${toBaseUrl(config, config.httpPort)}/api/tests`;
        const example = `curl -H "Authorization: Bearer ${token}" -H "X-Workspace-Id: ${workspace.id}" ${url}`;
        const text = `${token}\n\nSave it now. It won't be shown again. ${toRights(row)} Example:\n  ${example}`;
        const { id, scope, label } = toShown(row);
        return answer(args, terminal, { id, token, scope, label, expiresAt: toShown(row).expiresAt }, () => text);
      },
      { action: "token.create", object: auditedToken },
    ),
};

export const tokenRevoke: Command = {
  group: "people",
  name: "token revoke",
  summary: "Revoke an API token. It stops working immediately.",
  usage: "token revoke <tok_…>",
  example: "assay token revoke tok_01jd4m3xk2v9q8w7e6r5t4y3z2",
  positionals: { min: 1, max: 1 },
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store }) => {
        const [id = ""] = args.positionals;
        const token = await findTokenById(store.read, id);
        if (!token) throw new Refusal("not_found", `Token not found. To list all tokens: ${program} token list`);
        const own = storeOf(store, token.workspace_id);
        const invited = (await listJoinedWith(own.read)).get(id) ?? [];
        await revokeToken(own, id);
        await announceRights(store, [token.workspace_id]);
        const people = toList(invited.map(({ name, email }) => toVisible(`${name} <${email}>`)));
        const stay = `\n${people} joined with an invitation from this token and ${invited.length > 1 ? "stay members" : "stays a member"}. If you don't know them, remove them under Settings > Members and workspace.`;
        const shown = { revoked: id, invited: invited.map(({ user_id }) => user_id) };
        return answer(args, terminal, shown, () => `Token revoked.${invited.length > 0 ? stay : ""}`);
      },
      { action: "token.revoke", object: auditedToken, objectId: args.positionals[0] },
    ),
};

export async function findWorkspace(db: Db, args: Arguments): Promise<WorkspaceRow> {
  const wanted = args.option("workspace");
  const found = wanted === undefined ? await listWorkspaces(db) : await readWorkspaces(db, [wanted]);
  const [workspace, another] = found;
  if (!workspace)
    throw new Refusal("not_found", `Workspace not found. To list all workspaces: ${program} workspace list`);
  if (another)
    throw new Refusal(
      "invalid_request",
      `There are several workspaces. Choose one with --workspace. To list them: ${program} workspace list`,
    );
  return workspace;
}

function readScope(written: string | undefined): TokenScope {
  const scope = tokenScopes.find((known) => known === (written ?? "full"));
  if (scope === undefined) throw new Refusal("invalid_request", `--scope must be one of ${tokenScopes.join(", ")}.`);
  return scope;
}

const dayMs = 86_400_000;

function readExpiry(args: Arguments, now: number): number | null {
  const [days, written] = [args.option("expires-in-days"), args.option("expires")];
  if (days !== undefined && written !== undefined)
    throw new Refusal("invalid_request", "Pass --expires or --expires-in-days, not both.");
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days))
    throw new Refusal("invalid_request", "--expires-in-days must be a whole number from 1 to 9999.");
  const end = days === undefined ? written : `${days}d`;
  if (end === undefined) return null;
  if (/^[1-9]\d{0,3}d$/.test(end)) return now + Number.parseInt(end, 10) * dayMs;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(end) ? Date.parse(`${end}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day))
    throw new Refusal("invalid_request", "--expires must be a number of days like 90d, or a date like 2027-03-31.");
  if (day <= now) throw new Refusal("invalid_request", "--expires must be in the future.");
  return day;
}

function toRights({ scope, label }: ApiTokensTable): string {
  const tests = label === null ? "" : `, for tests with the label ${toVisible(JSON.stringify(label))} only`;
  return `Its scope is ${scope}${tests}.`;
}

function toMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

function toEnd(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return "never";
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return "expired";
  const days = leftMs < dayMs ? 0 : Math.round(leftMs / dayMs);
  const soon = days === 0 ? " (in less than a day)" : ` (in ${days} ${days === 1 ? "day" : "days"})`;
  return `${expiresAt.slice(0, 10)}${days <= Math.max(...expiryNoticeDays) ? soon : ""}`;
}

function toShown(row: ApiTokensTable) {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: row.id,
    name: row.name,
    createdAt: time(row.created_at) ?? "",
    lastUsedAt: time(row.last_used_at),
    lastUsedAddress: row.last_used_address,
    scope: row.scope,
    label: row.label,
    expiresAt: time(row.expires_at),
  };
}
