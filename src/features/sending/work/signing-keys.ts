// DKIM keys for a workspace's own mail: created, listed with their DNS status, and used (src/decisions.md, "Sending").
// The private key is sealed and never leaves this file.

import { createPrivateKey } from "node:crypto";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import { askDkimKey } from "../../../analyzer/facts/dkim-keys.ts";
import { withinBudget } from "../../../analyzer/facts/dns-evidence.ts";
import { signMessage } from "../../../analyzer/mail/signing/sign-message.ts";
import {
  type KeyAlgorithm,
  keyAlgorithms,
  toKeyRecord,
  toPublicText,
} from "../../../analyzer/mail/signing/signing-algorithms.ts";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import { createKeyMaker } from "../../../platform/system/self-signed.ts";
import type { System } from "../../../platform/system/system.ts";
import { requireDomainName } from "../../domains/rules/named-domain.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import { countSigningKeys, insertSigningKey, listSigningKeys, removeSigningKey } from "../rows.ts";
import type { SigningKeysTable } from "../tables.ts";

/** Names the derived key. */
export const signingSealing = "signing keys";

export type SigningTerms = {
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  /** Not cached, so that a key just published is seen. */
  readonly dns: Dns;
};

/** `published`: null if DNS did not answer. */
export type KeyInDns = { readonly row: SigningKeysTable; readonly published: boolean | null };

type WantedKeys = { readonly domain: string; readonly algorithm?: KeyAlgorithm | undefined };

export type SigningKeys = {
  readonly list: (scope: Scope, domain?: string) => Promise<KeyInDns[]>;
  readonly create: (
    store: Pick<WorkspaceStore, "workspaceId" | "read" | "write">,
    wanted: WantedKeys,
  ) => Promise<KeyInDns[]>;
  readonly remove: (store: Pick<WorkspaceStore, "write">, id: string) => Promise<void>;
};

const maxKeys = 100;
/** Short, because a user waits for the page or for their mail to be sent. */
const lookUpMs = 4_000;

const selectorBeginnings: Readonly<Record<KeyAlgorithm, string>> = { rsa: "assay-rsa-", ed25519: "assay-ed-" };
/** 50 random bits, so that workspaces sharing a domain have different selectors. */
const selectorTailLength = 10;
const longestPrefix = "assay-rsa-".length + selectorTailLength + "._domainkey.".length;

export function createSigningKeys(terms: SigningTerms): SigningKeys {
  const makeKey = createKeyMaker();
  return {
    list: async (scope, domain) => await lookUp(await listSigningKeys(scope, domain), terms),
    create: async (store, { domain: typed, algorithm }) => {
      const domain = requireDomainName(typed, longestPrefix);
      const wanted = algorithm === undefined ? keyAlgorithms : [algorithm];
      // Creating a key is slow, so check first.
      const lacking = await findLacking(store.read, domain, wanted);
      const made = await Promise.all(lacking.map(async (each) => ({ algorithm: each, ...(await makeKey(each)) })));
      return await store.write(async (scope) => {
        await lockWorkspace(scope);
        const still = await findLacking(scope, domain, wanted);
        const rows = made
          .filter((key) => still.includes(key.algorithm))
          .map((key) => toRow({ ...key, domain, workspaceId: store.workspaceId }, terms));
        for (const row of rows) await insertSigningKey(scope, row);
        const [first] = rows;
        if (first !== undefined) recordChange({ objectId: first.id });
        // A new key cannot be published yet, and asking now would make resolvers cache its absence.
        return rows.map((row) => ({ row, published: false }));
      });
    },
    remove: async (store, id) => {
      if (!(await store.write(async (scope) => recordIf(await removeSigningKey(scope, id)))))
        throw new Refusal("not_found", "Signing key not found.");
    },
  };
}

export function createSignOutgoing(terms: SigningTerms): SignOutgoing {
  const { system, sealer } = terms;
  return async (scope, domain, message) => {
    const keys = await lookUp(await listSigningKeys(scope, domain.toLowerCase()), terms);
    const signers = keys.flatMap(({ row, published }) =>
      published === true ? [{ ...row, privateKey: openKey(row, sealer) }] : [],
    );
    return signMessage(message, signers, system.now());
  };
}

async function findLacking(scope: Scope, domain: string, wanted: readonly KeyAlgorithm[]): Promise<KeyAlgorithm[]> {
  const there = (await listSigningKeys(scope, domain)).map(({ algorithm }) => algorithm);
  const lacking = wanted.filter((algorithm) => !there.includes(algorithm));
  if (lacking.length === 0)
    throw new Refusal("conflict", `This workspace already has ${nameAll(wanted)} for ${domain}.`, { field: "domain" });
  if ((await countSigningKeys(scope)) + lacking.length > maxKeys)
    throw new Refusal("conflict", `A workspace can have at most ${maxKeys} signing keys. Delete one first.`);
  return lacking;
}

const names: Readonly<Record<KeyAlgorithm, string>> = { rsa: "an RSA key", ed25519: "an Ed25519 key" };

function nameAll(algorithms: readonly KeyAlgorithm[]): string {
  return algorithms.map((algorithm) => names[algorithm]).join(" and ");
}

type NewKey = Awaited<ReturnType<ReturnType<typeof createKeyMaker>>> & {
  readonly algorithm: KeyAlgorithm;
  readonly domain: string;
  readonly workspaceId: string;
};

function toRow(
  { algorithm, domain, publicKey, privateKey, workspaceId }: NewKey,
  { system, sealer }: SigningTerms,
): SigningKeysTable {
  const now = system.now();
  const id = createId("signingKey", now, system.random(16));
  const tail = createId("signingKey", now, system.random(16)).slice(-selectorTailLength);
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return {
    id,
    workspace_id: workspaceId,
    domain,
    selector: selectorBeginnings[algorithm] + tail,
    algorithm,
    public_key: toPublicText(publicKey),
    private_key: sealer.seal(secret, signingKeyPlace(id)),
    created_at: now,
  };
}

function openKey({ id, private_key }: SigningKeysTable, sealer: Sealer): ReturnType<typeof createPrivateKey> {
  const secret = sealer.open(private_key, signingKeyPlace(id));
  // Cannot happen: a server with another key does not start.
  if (secret === undefined) throw new Error(`Signing key ${id} cannot be decrypted.`);
  return createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
}

export function signingKeyPlace(id: string): string {
  return `signing_keys/${id}/private_key`;
}

/** In parallel, with one time limit for all. */
async function lookUp(rows: readonly SigningKeysTable[], { dns, system: { now } }: SigningTerms): Promise<KeyInDns[]> {
  const asking = withinBudget(dns, { maxQuestions: rows.length, deadlineAt: now() + lookUpMs, now });
  return await Promise.all(rows.map(async (row) => ({ row, published: await isPublished(row, asking) })));
}

/** Our key exactly, usable, and the only record of that name. */
async function isPublished(row: SigningKeysTable, dns: Dns): Promise<boolean | null> {
  const asked = await askDkimKey(toKeyRecord(row).name, dns);
  if (!asked.known) return null;
  const { key, records } = asked.value;
  const [record] = records;
  return (
    key.faults.length === 0 &&
    record?.type === row.algorithm &&
    record.publicKey !== null &&
    toPublicText(record.publicKey) === row.public_key
  );
}

/** Signs with each published key of the domain. Without one, the message stays unsigned. */
export type SignOutgoing = (scope: Scope, domain: string, message: Uint8Array) => Promise<Uint8Array>;
