// An entry of the audit log, and the hash that chains it to the one before. Each workspace has a chain, and the server
// has one. An entry is hashed in the form in which it is stored, so that what is verified is what is read.

import { createHash } from "node:crypto";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { auditActions, earlierActions, startedActions } from "./actions.ts";

/** The chain of what concerns the whole server. The other chains have the ID of their workspace. */
export const serverChain = "server";

/** command: a command in the server's terminal. system: Assay itself, or with a name a login provider. unknown: a stranger. */
export const actorTypes = ["person", "token", "command", "system", "unknown"] as const;
type ActorType = (typeof actorTypes)[number];

/**
 * failed: it began to take effect, and then an error ended it. started: it is about to happen. If no later entry says how
 * it ended, it was interrupted.
 */
export const auditOutcomes = ["done", "failed", "started"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export type AuditRow = {
  readonly chain: string;
  /** Counts from 1 without gaps. */
  readonly seq: number;
  /** By the server's clock, which may have been wrong or set back. Only `seq` is an order. */
  readonly at: number;
  readonly action: string;
  readonly actor_type: ActorType;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  /** The person's, or of the person who created the token. */
  readonly actor_email: string | null;
  readonly object_kind: string | null;
  readonly object_id: string | null;
  readonly object_name: string | null;
  readonly outcome: AuditOutcome;
  /** How often it happened: more than once only for failed logins. */
  readonly times: number;
  readonly address: string | null;
  /** JSON of AuditDetails. */
  readonly details: string;
};

type Values = Readonly<Record<string, unknown>>;

export type AuditDetails = {
  readonly before?: Values;
  readonly after?: Values;
  /** What was asked for. */
  readonly request?: Values;
  /** Secrets that were set or changed. Their values are never recorded. */
  readonly secrets?: readonly string[];
  readonly error?: string;
  readonly [more: string]: unknown;
};

/** What the first entry of a chain follows. */
export const noHash = "0".repeat(64);

/** The fields in the order in which they are hashed. The handbook page "Audit log" documents it. */
function toCanonical(row: AuditRow): string {
  return JSON.stringify([
    row.chain,
    row.seq,
    row.at,
    row.action,
    row.actor_type,
    row.actor_id,
    row.actor_name,
    row.actor_email,
    row.object_kind,
    row.object_id,
    row.object_name,
    row.outcome,
    row.times,
    row.address,
    row.details,
  ]);
}

export function hashEntry(previousHash: string, row: AuditRow): string {
  return createHash("sha256")
    .update(`${previousHash}\n${toCanonical(row)}`)
    .digest("hex");
}

/** A sentence such as: Ada revoked the token “ci-deploy”. Names are quoted, because anyone can choose a name like a sentence. */
export function toSentence(row: Omit<AuditRow, "chain" | "seq">): string {
  const begun = row.outcome === "started" ? startedActions[row.action] : undefined;
  const verbs: Readonly<Record<string, string>> = { ...auditActions, ...earlierActions };
  const verb = begun ?? verbs[row.action] ?? row.action;
  const object = row.object_name === null ? (row.object_id ?? "") : `“${toVisible(row.object_name)}”`;
  const what = verb.replace("{}", () => object).trim();
  const often = row.times > 1 ? ` (${row.times} times)` : "";
  const end = row.outcome === "failed" ? ", but it failed" : "";
  return `${toActorWords(row)} ${what}${often}${end}`;
}

type Actor = Pick<AuditRow, "actor_type" | "actor_id" | "actor_name">;

function toActorWords({ actor_type: type, actor_id: id, actor_name: name }: Actor): string {
  const shown = name === null ? (id ?? "") : toVisible(name);
  if (type === "person") return shown;
  if (type === "token") return `The token “${shown}”`;
  if (type === "command") return `${shown} (command line)`;
  if (type === "unknown") return "Someone";
  return name === null ? "Assay" : `${shown} (login provider)`;
}

const longestText = 300;
const mostListed = 100;
const largestDetails = 16_000;
const nul = /\0/g;

/** Text that both databases can store. */
export function toStorable(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  return cut.toWellFormed().replace(nul, "");
}

/** Bounded, because a request may have a megabyte. */
export function toDetailsText(details: AuditDetails): string {
  const text = JSON.stringify(details, (_key, value) => toBounded(value));
  if (text.length <= largestDetails) return text;
  return JSON.stringify({ tooLong: text.length, ...(details.error && { error: details.error }) });
}

function toBounded(value: unknown): unknown {
  if (typeof value === "string") return toStorable(value);
  if (!Array.isArray(value) || value.length <= mostListed) return value;
  return [...value.slice(0, mostListed), `… (${value.length} in total)`];
}
