import { Refusal } from "../errors.ts";
import { toTable } from "../formats/table.ts";
import { toBaseUrl } from "../http/client-address.ts";
import { findTokenById, listTokens } from "../store/people/tokens.ts";
import { listWorkspaces, readWorkspaces, type WorkspaceRow } from "../store/people/workspaces.ts";
import type { ApiTokensTable } from "../store/schema/people.ts";
import type { Db } from "../store/schema/schema.ts";
import { inWorkspace, storeOf } from "../store/scope.ts";
import { issueToken, revokeToken } from "../tasks/accounts/tokens.ts";
import { type Arguments, answer, type Command } from "./command.ts";
import { program } from "./invocation.ts";
import { readName, withStore } from "./with-store.ts";

export const workspaceOption = {
  value: "wsp_…",
  doc: "Workspace. Not needed if there is only one, or with a token.",
};

export const tokenList: Command = {
  name: "token list",
  summary: "List the API tokens of a workspace.",
  usage: "token list [--workspace <wsp_…>] [--json]",
  example: "assay token list",
  positionals: { min: 0, max: 0 },
  options: { workspace: workspaceOption },
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const { id } = await findWorkspace(store.read, args);
      const list = (await listTokens(inWorkspace(store.read, id))).map(toShown);
      const rows = list.map((token) => [
        token.id,
        token.createdAt,
        token.lastUsedAt ?? "never",
        token.expiresAt ?? "never",
        token.name,
      ]);
      const headings = ["ID", "CREATED", "LAST USED", "EXPIRES", "NAME"];
      return answer(args, terminal, list, () => toTable([headings, ...rows]));
    }),
};

export const tokenCreate: Command = {
  name: "token create",
  summary: "Create an API token with owner access to a workspace.",
  usage: "token create --name <name> [options]",
  example: "assay token create --name ci",
  positionals: { min: 0, max: 0 },
  options: {
    workspace: workspaceOption,
    name: { value: "name", doc: "A name to recognize the token by." },
    "expires-in-days": { value: "days", doc: "Number of days until it expires (default: never)." },
  },
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system }) => {
        const name = readName(args.option("name"), "--name");
        const workspace = await findWorkspace(store.read, args);
        const expiresAt = toExpiry(args.option("expires-in-days"), system.now());
        const { row, token } = await issueToken(storeOf(store, workspace.id), system, {
          name,
          createdBy: null,
          expiresAt,
        });
        const url = `${toBaseUrl(config, config.httpPort)}/api/tests`;
        const example = `curl -H "Authorization: Bearer ${token}" -H "X-Workspace-Id: ${workspace.id}" ${url}`;
        const text = `${token}\n\nSave it now. It won't be shown again. Example:\n  ${example}`;
        return answer(args, terminal, { id: row.id, token }, () => text);
      },
      { action: "token.create", object: "token" },
    ),
};

export const tokenRevoke: Command = {
  name: "token revoke",
  summary: "Revoke an API token. It stops working immediately.",
  usage: "token revoke <tok_…>",
  example: "assay token revoke tok_01jd4m3xk2v9q8w7e6r5t4y3z2",
  positionals: { min: 1, max: 1 },
  options: {},
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store }) => {
        const [id = ""] = args.positionals;
        const token = await findTokenById(store.read, id);
        if (!token)
          throw new Refusal("not_found", `Token not found. To list all tokens: ${program} token list`);
        await revokeToken(storeOf(store, token.workspace_id), id);
        return answer(args, terminal, { revoked: id }, () => "Token revoked.");
      },
      { action: "token.revoke", object: "token", objectId: args.positionals[0] },
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

function toExpiry(days: string | undefined, now: number): number | null {
  if (days === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new Refusal("invalid_request", "--expires-in-days must be a whole number from 1 to 9999.");
  return now + Number(days) * 86_400_000;
}

function toShown(row: ApiTokensTable) {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: row.id,
    name: row.name,
    createdAt: time(row.created_at) ?? "",
    lastUsedAt: time(row.last_used_at),
    expiresAt: time(row.expires_at),
  };
}
