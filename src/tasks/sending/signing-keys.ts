// The keys that sign a workspace's own mail: created, listed with what DNS says about them, used
// (src/decisions.md, "Sending"). The private part is sealed and leaves this file only as signatures.

import { createPrivateKey } from "node:crypto";
import type { Dns } from "../../dns/answer.ts";
import { Refusal } from "../../errors.ts";
import { askDkimKey } from "../../facts/dkim-keys.ts";
import { createId } from "../../ids.ts";
import { signMessage } from "../../mail/signing/sign-message.ts";
import {
  type KeyAlgorithm,
  keyAlgorithms,
  toKeyRecord,
  toPublicText,
} from "../../mail/signing/signing-algorithms.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { SigningKeysTable } from "../../store/schema/sends.ts";
import type { Scope, WorkspaceStore } from "../../store/scope.ts";
import {
  countSigningKeys,
  insertSigningKey,
  listSigningKeys,
  removeSigningKey,
} from "../../store/sending/sends.ts";
import { withinBudget } from "../../system/dns-evidence.ts";
import type { Sealer } from "../../system/secret-key.ts";
import { createKeyMaker } from "../../system/self-signed.ts";
import type { System } from "../../system/system.ts";
import { requireDomainName } from "../named-domain.ts";

/** What the sealer's key is derived for. */
export const signingSealing = "signing keys";

export type SigningTerms = {
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  /** Asked each time: who has just published a key wants to see it. */
  readonly dns: Dns;
};

/** `published`: null where DNS did not answer. */
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
/** Somebody waits for the page, or for their mail to go. */
const lookUpMs = 4_000;

const selectorBeginnings: Readonly<Record<KeyAlgorithm, string>> = {
  rsa: "assay-rsa-",
  ed25519: "assay-ed-",
};
/** 50 random bits: workspaces that share a domain do not meet. */
const selectorTailLength = 10;
const longestPrefix = "assay-rsa-".length + selectorTailLength + "._domainkey.".length;

export function createSigningKeys(terms: SigningTerms): SigningKeys {
  const makeKey = createKeyMaker();
  return {
    list: async (scope, domain) => await lookUp(await listSigningKeys(scope, domain), terms),
    create: async (store, { domain: typed, algorithm }) => {
      const domain = requireDomainName(typed, longestPrefix);
      const wanted = algorithm === undefined ? keyAlgorithms : [algorithm];
      // A key takes long to make: not for nothing.
      const lacking = await findLacking(store.read, domain, wanted);
      const made = await Promise.all(
        lacking.map(async (each) => ({ algorithm: each, ...(await makeKey(each)) })),
      );
      return await store.write(async (scope) => {
        await lockWorkspace(scope);
        const still = await findLacking(scope, domain, wanted);
        const rows = made
          .filter((key) => still.includes(key.algorithm))
          .map((key) => toRow({ ...key, domain, workspaceId: store.workspaceId }, terms));
        for (const row of rows) await insertSigningKey(scope, row);
        // Nobody can have published it; and a resolver that is asked now remembers for long that it is not there.
        return rows.map((row) => ({ row, published: false }));
      });
    },
    remove: async (store, id) => {
      if (!(await store.write((scope) => removeSigningKey(scope, id))))
        throw new Refusal("not_found", "There is no such signing key.");
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

async function findLacking(
  scope: Scope,
  domain: string,
  wanted: readonly KeyAlgorithm[],
): Promise<KeyAlgorithm[]> {
  const there = (await listSigningKeys(scope, domain)).map(({ algorithm }) => algorithm);
  const lacking = wanted.filter((algorithm) => !there.includes(algorithm));
  if (lacking.length === 0)
    throw new Refusal("conflict", `This workspace has ${tell(wanted)} for ${domain} already.`, {
      field: "domain",
    });
  if ((await countSigningKeys(scope)) + lacking.length > maxKeys)
    throw new Refusal(
      "conflict",
      `A workspace has at most ${maxKeys} signing keys: delete one that is not needed.`,
    );
  return lacking;
}

const names: Readonly<Record<KeyAlgorithm, string>> = { rsa: "an RSA key", ed25519: "an Ed25519 key" };

function tell(algorithms: readonly KeyAlgorithm[]): string {
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
    private_key: sealer.seal(secret, boundTo(id)),
    created_at: now,
  };
}

function openKey({ id, private_key }: SigningKeysTable, sealer: Sealer): ReturnType<typeof createPrivateKey> {
  const secret = sealer.open(private_key, boundTo(id));
  // A server with another key does not start.
  if (secret === undefined) throw new Error(`What is sealed of the signing key ${id} does not open.`);
  return createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
}

function boundTo(id: string): string {
  return `signing_keys/${id}/private_key`;
}

/** All at once, for so long and no longer. */
async function lookUp(
  rows: readonly SigningKeysTable[],
  { dns, system: { now } }: SigningTerms,
): Promise<KeyInDns[]> {
  const asking = withinBudget(dns, { maxQuestions: rows.length, deadlineAt: now() + lookUpMs, now });
  return await Promise.all(rows.map(async (row) => ({ row, published: await isPublished(row, asking) })));
}

/** Exactly ours, usable, and nothing beside it that a verifier could take in its place. */
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

/** Signs with each key of the domain that is published; where none is, the message stays as it is. */
export type SignOutgoing = (scope: Scope, domain: string, message: Uint8Array) => Promise<Uint8Array>;
