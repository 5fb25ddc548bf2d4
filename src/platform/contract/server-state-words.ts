// What may keep a server from receiving mail, and what it postpones when it's too slow. The codes are public: they are
// in /readyz, in the metrics, and in the log.

type Words = {
  /** Completes "Not ready: …". */
  readonly short: string;
  /** A load balancer should send mail to another process (src/decisions.md, "Readiness"). */
  readonly isOut: boolean;
  readonly says: string;
  readonly fix: string;
};

export const troubleTable = {
  database_unavailable: {
    short: "the database cannot be written",
    isOut: true,
    says: "The database cannot be written, so new mail is deferred.",
    fix: "Check that the database runs and can be reached. The server's log has the error.",
  },
  database_damaged: {
    short: "the database is damaged",
    isOut: true,
    says: "The database is damaged, so new mail is deferred if it can’t be stored.",
    fix: "Stop Assay, restore your newest backup with assay restore, and start it again. To see what is damaged, run assay doctor.",
  },
  disk_full: {
    short: "the disk is full",
    isOut: true,
    says: "The disk is full, so new mail is deferred and analyses wait. You can still log in and delete tests.",
    fix: "Free up space on the disk, or delete tests. Mail is accepted again automatically.",
  },
  disk_low: {
    short: "free disk space is below ASSAY_MIN_FREE_BYTES",
    isOut: true,
    says: "Free disk space is below ASSAY_MIN_FREE_BYTES, so new mail is deferred.",
    fix: "Free up space on the disk, keep tests for fewer days (ASSAY_RETENTION_DAYS), or lower ASSAY_MIN_FREE_BYTES.",
  },
  backlog_full: {
    short: "the backlog is full",
    isOut: true,
    says: "As many messages as ASSAY_MAX_BACKLOG allows wait for analysis, so new mail is deferred.",
    fix: "Mail is accepted again when some are analyzed. If this happens often, add processor cores or another process.",
  },
  not_stored: {
    short: "messages could not be stored",
    isOut: true,
    says: "Messages could not be stored, so new mail is deferred.",
    fix: "The server's log has the error. Run assay doctor.",
  },
  messages_unavailable: {
    short: "raw messages cannot be stored",
    isOut: true,
    says: "Raw messages cannot be stored in their directory or object store, so new mail is deferred.",
    fix: "Check the directory, or the S3-compatible store and its credentials.",
  },
  smtp_not_listening: {
    short: "the SMTP listener is not bound",
    isOut: true,
    says: "The SMTP listener is not running.",
    fix: "Wait until the server has started. If it doesn't, see its log.",
  },
  connections_full: {
    short: "all SMTP connections are in use",
    isOut: false,
    says: "All SMTP connections are in use, so new clients are asked to try again later.",
    fix: "This passes when clients disconnect. If it happens often, raise ASSAY_SMTP_MAX_CLIENTS.",
  },
  connections_refused: {
    short: "every new SMTP connection was refused for a minute",
    isOut: true,
    says: "All SMTP connections are in use, and every new client was refused for a minute, so new mail is deferred.",
    fix: "See which clients are connected. If they are yours, raise ASSAY_SMTP_MAX_CLIENTS. Otherwise block them in the firewall.",
  },
  workspace_backlog_full: {
    short: "the backlog of a workspace is full",
    isOut: false,
    says: "Too many messages of this workspace wait for analysis, so new mail to it is deferred. Other workspaces are not affected.",
    fix: "Mail is accepted again when some are analyzed. The limit is what the others leave free of ASSAY_MAX_BACKLOG.",
  },
} as const satisfies Readonly<Record<string, Words>>;

export type TroubleCode = keyof typeof troubleTable;
export const troubleCodes = Object.keys(troubleTable) as TroubleCode[];

/** Why a loop put a row back. `verb`: what it couldn’t do. */
export function toUnserved(
  verb: "checked" | "judged" | "read",
  why = "There was an internal error. See the server's log.",
) {
  return `Can't be ${verb}: ${why}`;
}

/** Some background work waits for too long. If that is all analyses, mail should go to another process. */
export const lateCodes = ["work_late", "analyses_stuck"] as const;
export const stateCodes = [...troubleCodes, ...lateCodes] as const;

export function toLateWords(late: readonly { readonly work: string; readonly since: number }[]) {
  const toTime = (since: number) => `${new Date(since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const list = late.map(({ work, since }) => `${work} (since ${toTime(since)})`).join(", ");
  return {
    says: `Background work is late: ${list}.`,
    fix: "Look for errors in the server's log. If there are none, restart Assay.",
  };
}

/** Why a message or a client was asked to try again later. The last three are about one client only. */
export const deferralReasons = [
  "database_unavailable",
  "database_damaged",
  "disk_full",
  "disk_low",
  "backlog_full",
  "not_stored",
  "connections_full",
  "connections_refused",
  "workspace_backlog_full",
  "memory_full",
  "client_connections",
  "client_rate",
] as const satisfies readonly string[];

/** What waits when the server is too slow, the first one first. What a person waits for never does. */
export const postponedWork = ["exports", "sweeps", "analyses", "mail"] as const;
export type PostponedWork = (typeof postponedWork)[number];

export const postponedWords: Readonly<Record<PostponedWork, string>> = {
  exports: "exports are refused",
  sweeps: "hourly domain checks wait",
  analyses: "analyses are slowed down",
  mail: "new mail is deferred",
};
