// This process's claim on a seed mailbox, and what stands on its row while it has it: how it fares, told to whoever
// follows the workspace's events when it changes.

import type { IntegrationStatus } from "../integrations/integration.ts";
import { toStorableCut } from "../mail/storable.ts";
import { finishClaim, type Ticket } from "../store/claims.ts";
import type { IntegrationsTable } from "../store/integration-schema.ts";
import { type MailboxState, updateMailboxState } from "../store/mailboxes.ts";
import type { Store } from "../store/store.ts";
import type { System } from "../system/system.ts";
import type { Publish } from "./event-hub.ts";

export type MailboxClaim = {
  readonly ticket: Ticket;
  /** False: the claim is lost. */
  readonly note: (status: IntegrationStatus, problem: string | null) => Promise<boolean>;
  /** Gives it back, with how it fares where that is known. `dueAt` null: it is not watched until a person has mended it. */
  readonly end: (dueAt: number | null, status?: IntegrationStatus, problem?: string | null) => Promise<void>;
};

export type ClaimTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly publish: Publish;
};

const longestProblem = 500;

export function createMailboxClaim(
  row: IntegrationsTable,
  { store, system, publish }: ClaimTerms,
): MailboxClaim {
  const { id, workspace_id, claimed_by, attempts, status, problem, status_since } = row;
  const ticket: Ticket = { id, claimed_by, attempts };
  let state: MailboxState = { status, problem, status_since };

  function toState(next: IntegrationStatus, told: string | null): MailboxState {
    const since = next === state.status ? state.status_since : system.now();
    return {
      status: next,
      problem: told === null ? null : toStorableCut(told, longestProblem),
      status_since: since,
    };
  }

  async function put(next: MailboxState, write: () => Promise<boolean>): Promise<boolean> {
    if (!(await write())) return false;
    const isNews = next.status !== state.status || next.problem !== state.problem;
    state = next;
    if (isNews) publish(workspace_id, { type: "integration.changed", id, status: next.status });
    return true;
  }

  return {
    ticket,
    note: async (given, told) => {
      const next = toState(given, told);
      if (next.status === state.status && next.problem === state.problem) return true;
      return await put(next, () => store.write((db) => updateMailboxState(db, ticket, next)));
    },
    end: async (dueAt, given = state.status, told = state.problem) => {
      const next = toState(given, told);
      await put(next, () => store.write((db) => finishClaim(db, "integrations", ticket, dueAt, next)));
    },
  };
}
