import type { Words } from "../migration.ts";

/**
 * Nothing refers to workspaces, because a deleted workspace keeps its log. `audit_heads` has the number and hash of each
 * chain's last entry, so that a removed end is noticed. Failed logins wait in `audit_failures` until their minute is over
 * and become one entry.
 */
export function auditTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table audit_log (
      chain ${text} not null,
      seq ${integer} not null,
      at ${integer} not null,
      action ${text} not null,
      actor_type ${text} not null,
      actor_id ${text},
      actor_name ${text},
      actor_email ${text},
      object_kind ${text},
      object_id ${text},
      object_name ${text},
      outcome ${text} not null,
      times ${integer} not null,
      address ${text},
      details ${text} not null,
      hash ${text} not null,
      primary key (chain, seq)
    ) ${strict}${clustered}`,
    `create table audit_heads (
      chain ${text} primary key not null,
      seq ${integer} not null,
      hash ${text} not null,
      trimmed_seq ${integer} not null,
      trimmed_hash ${text} not null,
      sent_seq ${integer} not null
    ) ${strict}${clustered}`,
    `create table audit_failures (
      over_at ${integer} not null,
      account ${text} not null,
      address ${text} not null,
      times ${integer} not null,
      primary key (over_at, account, address)
    ) ${strict}${clustered}`,
  ];
}
