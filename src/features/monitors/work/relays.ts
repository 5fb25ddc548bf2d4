// The relays of a workspace: mail servers that its canaries are sent through. Their URL may contain a password, so it is
// sealed and never shown again. Their hosts are strangers' (platform/system/target-guard.ts).

import type { z } from "zod";
import { readOwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import { whyNoHeaderText } from "../../../analyzer/mail/send-token.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { createFairQueue, type FairQueueBounds } from "../../../platform/system/fair-queue.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { createHostResolver, createTargetGuard } from "../../../platform/system/target-guard.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import { type MemberRelay, validateRelayUrl, whyNoRelay } from "../../sending/work/guarded-relay.ts";
import { TransportFailure } from "../../sending/work/transports.ts";
import type { changeRelay, createRelay } from "../contract/relays.ts";
import { insertRelay, listRelays, listRelayUsers, readRelay, removeRelay, updateRelay } from "../rows/relays.ts";
import type { RelaysTable } from "../tables.ts";

/** Names the derived key. */
export const relaySealing = "relays";
/** In place of a sealed URL whose key was lost (upkeep/secrets.ts). */
export const lostUrl = "";
const lostWords =
  "The relay’s URL was lost with the server’s secret key. Enter it again under Settings, with its password.";

type WantedRelay = z.output<typeof createRelay.body>;

type RelayTerms = {
  readonly system: Pick<System, "now" | "random" | "dns">;
  readonly sealer: Sealer;
  readonly config: Pick<Config, "allowPrivateTargets" | "smtpListen">;
  /** Our HELO name. */
  readonly host: string;
};

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

export type Relays = {
  readonly add: (store: Writing, wanted: WantedRelay) => Promise<RelaysTable>;
  readonly change: (store: Writing, id: string, changes: RelayChanges) => Promise<RelaysTable>;
  readonly remove: (store: Writing, id: string) => Promise<void>;
  /** Connects and logs in. Null: that works. Otherwise why not. */
  readonly tryOut: (store: Pick<WorkspaceStore, "workspaceId" | "read">, id: string) => Promise<string | null>;
  /** How to reach it. */
  readonly open: (row: RelaysTable) => MemberRelay;
};

type RelayChanges = z.output<typeof changeRelay.body>;

const maxRelays = 20;
const trialMs = 20_000;
const trialBounds: FairQueueBounds = { atOnce: 4, waitingPerWorkspace: 3, waitingInAll: 20, patienceMs: 20_000 };

export function createRelays(terms: RelayTerms): Relays {
  const { config, system, sealer, host: name } = terms;
  const allow = config.allowPrivateTargets;
  const findAddresses = createTargetGuard({ allow, resolveHost: createHostResolver(system.dns) });
  const line = createFairQueue("relay tests", trialBounds);
  const open = ({ id, url }: RelaysTable): MemberRelay => {
    if (url === lostUrl) throw new TransportFailure(lostWords);
    const plain = sealer.open(url, relayUrlPlace(id));
    // Cannot happen: a server with another key does not start.
    if (plain === undefined) throw new Error(`The URL of relay ${id} cannot be decrypted.`);
    return { url: plain, name, findAddresses };
  };
  const sealUrl = (id: string, url: string) => ({
    url: sealer.seal(url, relayUrlPlace(id)),
    url_shown: withoutPassword(url),
  });
  const validate = (text: string) => validateRelayUrl(text, config, findAddresses);

  return {
    open,
    add: async (store, wanted) => {
      const mail_from = readMailFrom(wanted.mailFrom);
      const url = await validate(wanted.url);
      const now = system.now();
      const id = createId("relay", now, system.random(16));
      const { name, returnPath: return_path } = wanted;
      const row = { id, name, ...sealUrl(id, url), mail_from, return_path, created_at: now };
      await store.write(async (scope) => {
        await lockWorkspace(scope);
        if ((await listRelays(scope)).length >= maxRelays)
          throw new Refusal("conflict", `A workspace can have at most ${maxRelays} relays. Delete one first.`);
        if (!(await insertRelay(scope, row))) throw nameTaken();
        recordChange({ objectId: id });
      });
      return { ...row, workspace_id: store.workspaceId };
    },

    change: async (store, id, { name, url, mailFrom, returnPath }) => {
      const before = await requireRelay(store.read, id);
      const mail_from = mailFrom === undefined ? before.mail_from : readMailFrom(mailFrom);
      // Clients may send back the whole record that they read.
      const isSame = url === undefined || (url === before.url_shown && before.url !== lostUrl);
      const moved = isSame ? {} : sealUrl(id, await validate(url));
      return await store.write(async (scope) => {
        await lockWorkspace(scope);
        await requireRelay(scope, id);
        const twin = (await listRelays(scope)).find((other) => other.id !== id && other.name === name);
        if (twin) throw nameTaken();
        await updateRelay(scope, id, {
          ...moved,
          mail_from,
          return_path: returnPath ?? before.return_path,
          ...(name !== undefined && { name }),
        });
        recordChange();
        return await requireRelay(scope, id);
      });
    },

    remove: (store, id) =>
      store.write(async (scope) => {
        await lockWorkspace(scope);
        await requireRelay(scope, id);
        const [user] = await listRelayUsers(scope, id);
        if (user !== undefined)
          throw new Refusal("conflict", `The canary “${user}” uses this relay. Delete or change it first.`);
        await removeRelay(scope, id);
        recordChange();
      }),

    tryOut: async ({ workspaceId, read }, id) => {
      const row = await requireRelay(read, id);
      if (row.url === lostUrl) return lostWords;
      return await line.run(workspaceId, () => whyNoRelay(open(row), AbortSignal.timeout(trialMs)));
    },
  };
}

export async function requireRelay(scope: Scope, id: string): Promise<RelaysTable> {
  const row = await readRelay(scope, id);
  if (row === undefined) throw new Refusal("not_found", "Relay not found.");
  return row;
}

/** What the sealed URL is bound to. */
export function relayUrlPlace(id: string): string {
  return `relays/${id}/url`;
}

function readMailFrom(text: string): string {
  const problem = whyNoHeaderText(text);
  if (problem !== null) throw refusedSender(problem);
  const reading = readOwnSender(text);
  if (!reading.ok) throw refusedSender(reading.problem);
  return text.trim();
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  url.password = "";
  return url.href;
}

function refusedSender(problem: string): Refusal {
  return new Refusal("invalid_email", `"mailFrom" ${problem}.`, { field: "mailFrom" });
}

function nameTaken(): Refusal {
  return new Refusal("conflict", "Another relay has this name.", { field: "name" });
}
