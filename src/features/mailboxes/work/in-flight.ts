// One seed mailbox watched by this process: sends orders to its thread and stores its news, one by one in order. After
// release, nothing more is written for it.

import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { providerTable } from "../../../analyzer/placement/provider.ts";
import { toUnserved } from "../../../platform/contract/server-state-words.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import { finishClaim, type Ticket } from "../../../platform/work/claims.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import type { IntegrationStatus } from "../../events/contract.ts";
import type { Publish } from "../../events/work/hub.ts";
import { listMailboxFolders, type MailboxState, removeOtherFolders, updateMailboxState } from "../rows/mailboxes.ts";
import type { IntegrationsTable } from "../tables.ts";
import type { KeepMessage } from "./keep-messages.ts";
import { createMailboxLogins, type LoginOutcome, type LoginTerms } from "./logins.ts";
import type { FolderMark, MailboxNews, MailboxOrder, MailboxServer, WatchedFolder } from "./messages.ts";
import type { KeepSightings } from "./record-sightings.ts";

export type WatchTerms = ClaimTerms &
  LoginTerms & {
    readonly keepSightings: KeepSightings;
    readonly keepMessage: KeepMessage;
    readonly maxMessageBytes: number;
    readonly serve: ServeRow;
    readonly order: (order: MailboxOrder) => void;
  };

export type MailboxInFlight = {
  readonly id: string;
  readonly workspaceId: string;
  /** The thread's name for this watch. News of an earlier watch of the same mailbox is ignored. */
  readonly name: string;
  /** From its claim. */
  readonly attempts: number;
  /** Resolves when the news is stored or dropped. Never rejects. */
  readonly takeNews: (news: MailboxNews) => Promise<void>;
  /** Renews an expiring or refused token, unless it was just tried. */
  readonly renewLogin: () => void;
  /** Resolves when all news so far is stored. */
  readonly settled: () => Promise<void>;
  /** Leaves the claim unchanged. */
  readonly letGo: () => void;
};

const retryMs = 60_000;
const internal = `${toUnserved("read")} Assay keeps trying.`;

/** Starts at once. `onWatched`: the thread has its order. `onGone`: the watch has ended. */
export function startWatching(
  row: IntegrationsTable,
  name: string,
  terms: WatchTerms & { readonly onWatched: () => void; readonly onGone: () => void },
): MailboxInFlight {
  const { id, workspace_id: workspaceId, attempts } = row;
  const { store, system, order } = terms;
  const claim = createMailboxClaim(row, terms);
  const logins = createMailboxLogins(row, terms);
  let isInFlight = true;
  let tail = Promise.resolve();

  function letGo(): void {
    if (!isInFlight) return;
    isInFlight = false;
    order({ order: "drop", id: name });
    terms.onGone();
  }

  async function giveUp(
    { problem, isFinal }: Extract<LoginOutcome, { readonly ok: false }>,
    dueAt: number,
  ): Promise<void> {
    // First the claim: a poll would claim a mailbox again that is neither in flight nor given up.
    await claim.end(isFinal ? null : dueAt, isFinal ? "reconnect" : "trouble", problem);
    letGo();
  }

  async function watch(): Promise<void> {
    const outcome = await logins.get();
    if (!outcome.ok) return await giveUp(outcome, system.now() + retryMs);
    const marks = (await listMailboxFolders(store.read, id)).map(toMark);
    if (!isInFlight) return;
    const server = JSON.parse(row.server ?? "") as MailboxServer;
    const { login } = outcome;
    order({ order: "watch", id: name, server, login, marks, ...toReading(row, server, terms) });
    terms.onWatched();
  }

  async function renew(): Promise<void> {
    const outcome = await logins.get();
    if (outcome.ok && isInFlight) order({ order: "login", id: name, login: outcome.login });
    else if (!outcome.ok && outcome.isFinal) await giveUp(outcome, 0);
    else if (!outcome.ok) await note("trouble", outcome.problem);
  }

  async function note(...state: Parameters<typeof claim.note>): Promise<void> {
    if (!(await claim.note(...state))) letGo();
  }

  async function takeNews(news: MailboxNews): Promise<void> {
    if (isOfMessages(news)) {
      await keepNews(row, news, terms, note);
      // Not once it is connected, because what can't be stored comes after that.
      return await terms.serve(id, async () => {});
    }
    if (news.news === "connected") {
      logins.noteSuccess();
      await forgetOthers(store, id, news.folders);
      return await note("connected", toConnectedProblem(news.folders));
    }
    const isFinal = news.needsLogin ? logins.noteRefusal() : news.isFinal;
    if (isFinal) return await giveUp({ ok: false, problem: news.problem, isFinal }, 0);
    await note("trouble", news.problem);
    if (logins.isDue()) await renew();
  }

  function next(work: () => Promise<void>): Promise<void> {
    tail = tail.then(() => (isInFlight ? work() : undefined)).catch(startOver);
    return tail;
  }

  /** Starts again from the stored marks, so that nothing is missed. */
  async function startOver(error: unknown): Promise<void> {
    letGo();
    const fail = () => Promise.reject(error);
    // If this fails too, the claim expires.
    await terms.serve(id, fail, (_error, until) => claim.end(until, "trouble", internal)).catch(() => {});
  }

  void next(watch);
  return {
    id,
    name,
    workspaceId,
    attempts,
    takeNews: (news) => next(() => takeNews(news)),
    renewLogin: () => {
      if (logins.isDue()) void next(async () => (logins.isDue() ? await renew() : undefined));
    },
    settled: () => tail,
    letGo,
  };
}

type NewsOfMessages = Extract<MailboxNews, { readonly news: "message" | "sightings" }>;

function isOfMessages(news: MailboxNews): news is NewsOfMessages {
  return news.news === "message" || news.news === "sightings";
}

async function keepNews(
  row: IntegrationsTable,
  news: NewsOfMessages,
  { keepSightings, keepMessage }: Pick<WatchTerms, "keepSightings" | "keepMessage">,
  note: (status: IntegrationStatus, problem: string) => Promise<void>,
): Promise<void> {
  if (news.news === "sightings") return await keepSightings(row.id, news.sightings, news.marks);
  const { message, tooBig, marks } = news;
  const problem = await keepMessage(row, { message, tooBig, mark: marks[0] });
  if (problem !== null) await note("connected", problem);
}

function toReading(
  { connected_at, seed_provider }: Pick<IntegrationsTable, "connected_at" | "seed_provider">,
  { inbox }: MailboxServer,
  { maxMessageBytes: maxBytes }: Pick<WatchTerms, "maxMessageBytes">,
): Pick<Extract<MailboxOrder, { readonly order: "watch" }>, "searchesTabs" | "reading"> {
  const searchesTabs = seed_provider !== null && providerTable[seed_provider].searchesTabs;
  // INTERNALDATE has whole seconds.
  const since = Math.floor(connected_at / 1_000) * 1_000;
  return { searchesTabs, ...(inbox && { reading: { since, maxBytes } }) };
}

async function forgetOthers(
  { read, write }: WatchTerms["store"],
  id: string,
  folders: readonly WatchedFolder[],
): Promise<void> {
  const paths = folders.map(({ path }) => path.toWellFormed());
  const others = (await listMailboxFolders(read, id)).filter(({ path }) => !paths.includes(path));
  if (others.length > 0 && paths.length > 0) await write((db) => removeOtherFolders(db, id, paths));
}

function toMark({
  path,
  uid_validity: uidValidity,
  next_uid: nextUid,
}: {
  readonly path: string;
  readonly uid_validity: string;
  readonly next_uid: number;
}): FolderMark {
  return { path, uidValidity, nextUid };
}

/** A warning for a connected mailbox. Null: inbox and spam folder are watched. */
function toConnectedProblem(folders: readonly WatchedFolder[]): string | null {
  const has = (role: WatchedFolder["role"]) => folders.some((folder) => folder.role === role);
  if (!has("inbox")) return "No inbox found, so mail that lands there is not seen.";
  if (!has("spam")) return "No spam folder found, so mail that lands there is not seen.";
  return null;
}

// This process's claim on a seed mailbox, and the mailbox's status while claimed. Status changes are published as
// events.

type MailboxClaim = {
  readonly ticket: Ticket;
  /** False: the claim is lost. */
  readonly note: (status: IntegrationStatus, problem: string | null) => Promise<boolean>;
  /** Releases the claim and updates the status if given. `dueAt` null: not watched until a user fixes it. */
  readonly end: (dueAt: number | null, status?: IntegrationStatus, problem?: string | null) => Promise<void>;
};

type ClaimTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly publish: Publish;
};

const longestProblem = 500;

function createMailboxClaim(row: IntegrationsTable, { store, system, publish }: ClaimTerms): MailboxClaim {
  const { id, workspace_id, claimed_by, attempts, status, problem, status_since } = row;
  const ticket: Ticket = { id, claimed_by, attempts };
  let state: MailboxState = { status, problem, status_since };

  function toState(next: IntegrationStatus, why: string | null): MailboxState {
    const since = next === state.status ? state.status_since : system.now();
    return { status: next, problem: why === null ? null : toStorableCut(why, longestProblem), status_since: since };
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
    note: async (given, why) => {
      const next = toState(given, why);
      if (next.status === state.status && next.problem === state.problem) return true;
      return await put(next, () => store.write((db) => updateMailboxState(db, ticket, next)));
    },
    end: async (dueAt, given = state.status, why = state.problem) => {
      const next = toState(given, why);
      await put(next, () => store.write((db) => finishClaim(db, "integrations", ticket, dueAt, next)));
    },
  };
}
