import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { answer, type Command, type LoadFeatures } from "../../../platform/cli/command.ts";
import { toShellWord } from "../../../platform/cli/invocation.ts";
import type { SealedTable } from "../../../platform/database/engine/sealed-rows.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toBaseUrl } from "../../../platform/http/client-address.ts";
import { decryptChunks, encryptChunks, inspectEncryption, type Lock } from "../../../platform/system/age.ts";
import { auditedWorkspace } from "../../people/audited.ts";
import { toLink } from "../../people/rules/links.ts";
import { withStore } from "../../server/command/with-store.ts";
import { readLock, readUnlock } from "./age-options.ts";

const encryption = {
  recipient: { value: "age1…", isList: true, doc: "Encrypt the file for this public key of age. Can be repeated." },
  "passphrase-file": { value: "file", doc: "Encrypt with the passphrase in this file." },
} as const;

export const workspaceExport: Command = {
  group: "people",
  name: "workspace export",
  summary: "Write a workspace to a file, to move it to another server. The server can keep running.",
  usage: "workspace export <wsp_…> <file> [--recipient <age1…>]… [--passphrase-file <file>] [--json]",
  example: "assay workspace export wsp_01k9z0v3mt7q4x2d8hjr5c6w1p shop.assay",
  positionals: { min: 2, max: 2 },
  options: encryption,
  details: () =>
    "The file has the workspace's tests with their reports and raw messages, domains, monitors, alerts, connections, labels,\nstreams, shares, and the email addresses of its members. Passwords and API tokens are not in it.\n\nSecrets, such as webhook URLs and mailbox passwords, are in it only if you encrypt it. Otherwise they must be entered again.",
  run: (args, terminal, features) =>
    withStore(
      args,
      terminal,
      async ({ config, store, system, secretKey }) => {
        const [workspaceId = "", asked = ""] = args.positionals;
        const lock = await readLock(args, null);
        const [{ exportWorkspace }, { writeCopy }, { writeChunks }, { storeLocation }, { unpackAddon }] =
          await Promise.all([
            import("../work/export-workspace.ts"),
            import("../../../platform/database/engine/sqlite-files.ts"),
            import("../../../platform/system/file-chunks.ts"),
            import("../../../platform/database/open.ts"),
            import("../../../platform/system/assets.ts"),
          ]);
        const terms = {
          location: storeLocation(config),
          addonFile: unpackAddon(config.dataDir),
          messages: store.messages,
          system,
          secretKey: lock === null ? null : secretKey,
          sealedTables: await listSealed(features),
        };
        let exported: Awaited<ReturnType<typeof exportWorkspace>> | undefined;
        await writeCopy(resolve(asked), async (unfinished) => {
          await rm(unfinished);
          exported = await exportWorkspace(workspaceId, terms, (chunks) =>
            writeChunks(unfinished, lock === null ? chunks : encryptChunks(chunks, lock)),
          );
        });
        const { rows = {}, messagesMissing = 0 } = exported ?? {};
        const shown = { file: asked, tests: rows.tests ?? 0, messagesMissing, hasSecrets: lock !== null, rows };
        return answer(args, terminal, shown, () =>
          [
            `Exported ${rows.tests ?? 0} tests to ${asked}.`,
            toSecretWords(lock),
            ...(messagesMissing > 0 ? [`Raw messages that were missing from their place: ${messagesMissing}.`] : []),
            "Import it on the other server: assay workspace import. The workspace stays here until you delete it.",
          ].join("\n"),
        );
      },
      {
        action: "workspace.export",
        object: auditedWorkspace,
        objectId: args.positionals[0],
        effect: "outside",
        log: "server",
      },
    ),
};

function toSecretWords(lock: Lock | null): string {
  return lock === null
    ? "It isn't encrypted, so it has no secrets: alerts, connections, and relays must be set up again after the import."
    : "It is encrypted, and has the workspace's secrets.";
}

export const workspaceImport: Command = {
  group: "people",
  name: "workspace import",
  summary: "Take a workspace from a file that assay workspace export wrote. With SQLite, stop Assay first.",
  usage: "workspace import <file> [--identity <file> | --passphrase-file <file>] [--new-ids] [--json]",
  example: "assay workspace import shop.assay",
  positionals: { min: 1, max: 1 },
  options: {
    identity: { value: "file", doc: "The identity file of age that decrypts the file." },
    "passphrase-file": { value: "file", doc: "A file with the passphrase that decrypts the file." },
    "new-ids": { doc: "Give the workspace and all of its rows new IDs, for a second copy on the same server." },
  },
  details: () =>
    "The import is one transaction: if something is wrong with the file, nothing is changed. IDs stay the same, so links keep\nworking. People who have no account here get one without a password. Those who have one are invited.",
  run: (args, terminal, features) =>
    withStore(
      args,
      terminal,
      async ({ config, system, secretKey, plans }) => {
        const [asked = ""] = args.positionals;
        const unlock = await readUnlock(args);
        const [{ importWorkspace }, { readChunks }, { isServed, storeLocation }, { unpackAddon }] = await Promise.all([
          import("../work/import-workspace.ts"),
          import("../../../platform/system/file-chunks.ts"),
          import("../../../platform/database/open.ts"),
          import("../../../platform/system/assets.ts"),
        ]);
        if (config.databaseUrl === null && isServed(config.dataDir))
          throw new Refusal(
            "conflict",
            "A server is running on this data directory, and would have to defer mail during the import. Stop it first.",
          );
        const file = resolve(asked);
        const isEncrypted = (await inspectEncryption(file).catch(() => missing(asked))) === "age";
        const chunks = isEncrypted ? decryptChunks(readChunks(file), unlock, asked) : readChunks(file);
        const imported = await importWorkspace(chunks, asked, {
          location: storeLocation(config),
          addonFile: unpackAddon(config.dataDir),
          system,
          secretKey,
          sealedTables: await listSealed(features),
          json: Object.assign({}, ...(await features()).map(({ json }) => json)),
          plan: plans.fallback.name,
          newIds: args.flag("new-ids"),
        });
        const { workspaceId, name, rows, newPeople, hasSecrets } = imported;
        const toInvite = (secret: string) => toLink("invitation", toBaseUrl(config, config.httpPort), secret);
        const invited = imported.invited.map(({ secret, ...one }) => ({ ...one, link: toInvite(secret) }));
        recordChange({ objectId: workspaceId, objectName: name });
        return answer(args, terminal, { ...imported, invited }, () =>
          [
            `Imported ${toVisible(name)} (${workspaceId}) with ${rows.tests ?? 0} tests.`,
            ...(hasSecrets ? [] : ["It came without secrets: set up its alerts, connections, and relays again."]),
            ...newPeople.map(
              (email) => `New account without a password: assay user reset-password ${toShellWord(email)}`,
            ),
            ...invited.map(
              ({ email, role, link }) => `${toVisible(email)} has an account here, and is invited as ${role}: ${link}`,
            ),
            ...(config.databaseUrl === null ? ["Start Assay."] : []),
          ].join("\n"),
        );
      },
      {
        action: "workspace.import",
        object: auditedWorkspace,
        effect: "outside",
        log: "server",
        request: { file: args.positionals[0] },
      },
    ),
};

async function listSealed(features: LoadFeatures): Promise<readonly SealedTable[]> {
  return (await features()).flatMap(({ secrets }) => secrets?.tables ?? []);
}

function missing(file: string): never {
  throw new Refusal("invalid_request", `${file} cannot be read.`);
}
