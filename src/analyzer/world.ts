// What an analysis may ask of the outside world, and who we are. The caller answers from a network, a record, or a zone
// file; the analyzer itself opens no connection.

import type { OnBroken } from "./checks/run.ts";
import type { Dns } from "./dns/answer.ts";
import type { AskCertificate } from "./facts/doors.ts";
import type { FetchDoor } from "./facts/fetch.ts";
import type { ListTests } from "./facts/list-tests.ts";
import type { MalwareScanner } from "./facts/malware.ts";
import type { Scanners } from "./facts/scanners.ts";
import type { AskServer } from "./facts/zone.ts";
import type { Phase } from "./phase.ts";

/** For a message. */
export type AnalysisContext = {
  readonly dns: Dns;
  readonly now: () => number;
  /** The receiving host's name, as in a Received header. */
  readonly receiver: string;
  /** Time for all lookups together. */
  readonly budgetMs: number;
  readonly lists: ListTests;
  readonly scanners: Scanners;
  readonly malware: MalwareScanner;
  /** Called before each phase begins. */
  readonly enter: (phase: Phase) => void;
};

/** For a domain: also HTTP requests to strangers, and queries to their name servers. */
export type DomainContext = Pick<AnalysisContext, "dns" | "now" | "lists" | "budgetMs"> & {
  readonly fetchStranger: FetchDoor;
  /** The same resolver without DNSSEC validation; null if there is none. */
  readonly unchecked: Dns | null;
  readonly askServer: AskServer;
  /** Reads mail servers' certificates. For the monitor only. */
  readonly askCertificate?: AskCertificate;
};

/** Checks that threw. Our bug, so the score does not suffer. Reported next to the report. */
export type BrokenCheck = { readonly check: string; readonly why: string };

export function noteBroken(): { readonly broken: readonly BrokenCheck[]; readonly note: OnBroken } {
  const broken: BrokenCheck[] = [];
  return { broken, note: (check, error) => void broken.push({ check, why: stackOf(error) }) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
