// Exports a workspace's tests as a CSV stream, page by page. No transaction stays open while the client reads, no row
// repeats, and new tests are not included. Each page is read when the client has taken the previous one. Slow clients
// are disconnected, so that they do not hold a slot forever.

import { createLimiter, createLimiters } from "../../../analyzer/facts/limiter.ts";
import { type CsvCell, longestCell, toCsvLine } from "../../../analyzer/reports/csv.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import type { Page } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import type { ServiceState } from "../../server/readiness/state.ts";
import { exportColumns } from "../contract/export.ts";
import type { ScoreOrder } from "../rows/by-score.ts";
import { isFiltered, type TestFilter } from "../rows/conditions.ts";
import { type ExportedTest, listExportedTests, readExportedTests } from "../rows/listed.ts";
import { findTests } from "../rows/lists.ts";

type Export = {
  readonly workspaceId: string;
  readonly limit: number;
  readonly filter?: TestFilter;
  /** Undefined: newest first. */
  readonly order?: ScoreOrder | undefined;
};

/** Resolves with the first page. Errors before that are reported normally; later ones abort the stream. */
export type ExportTests = (asked: Export) => Promise<ReadableStream<Uint8Array>>;

type ExportOptions = {
  readonly store: Pick<Store, "readInWorker">;
  readonly system: Pick<System, "log">;
  readonly bounds?: Partial<ExportBounds>;
  readonly service?: Pick<ServiceState, "isPostponed">;
};

export type ExportBounds = {
  /** Each holds a page in memory: up to 10 MB if every cell has its maximum length, normally some KB. */
  readonly atOnce: number;
  /** Leaves room for other workspaces when one has slow clients. */
  readonly atOnceInWorkspace: number;
  /** How long an export waits for a slot. A fast client needs less than a second. */
  readonly patienceMs: number;
  /** For the whole export: time for a megabyte on the slowest line. */
  readonly deadlineMs: number;
  /** Small, because long reads share one queue. */
  readonly pageRows: number;
};

const exportBounds: ExportBounds = {
  atOnce: 8,
  atOnceInWorkspace: 2,
  patienceMs: 10_000,
  deadlineMs: 300_000,
  pageRows: 50,
};

export function createExporter({ store, system, bounds: changes, service }: ExportOptions): ExportTests {
  const bounds = { ...exportBounds, ...changes };
  const enter = createEntrance(bounds);
  return async (asked) => {
    if (service?.isPostponed("exports")) throw postponed();
    const leave = await enter(asked.workspaceId);
    try {
      const pages = readPages(store.readInWorker, asked, bounds.pageRows);
      const first = await pages.next();
      return toStream(first.value ?? new Uint8Array(), pages, { leave, bounds, system });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/**
 * Waits for the workspace's own limit first, so that its queue takes no slots from others. Returns a function that
 * frees the slot once.
 */
function createEntrance({ atOnce, atOnceInWorkspace, patienceMs }: ExportBounds) {
  const gate = createLimiter(atOnce);
  const gates = createLimiters(atOnceInWorkspace);
  return async (workspaceId: string): Promise<() => void> => {
    if (!(await gates.enter(workspaceId, patienceMs))) throw tooMany(atOnceInWorkspace);
    if (!(await gate.enter(patienceMs))) {
      gates.leave(workspaceId);
      throw overloaded("Too many exports are running");
    }
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      gate.leave();
      gates.leave(workspaceId);
    };
  };
}

/** Exports are the first that waits under load (src/decisions.md, "Under load"). */
function postponed(): Refusal {
  const message =
    "Exports are paused, because this server has too much to do. Try again when fewer messages wait for analysis.";
  return new Refusal("overloaded", message, { retryAfterSeconds: 60 });
}

function tooMany(atOnce: number): Refusal {
  const message = `This workspace already has ${atOnce} exports running. Try again when one has finished.`;
  return new Refusal("rate_limited", message, { retryAfterSeconds: 5 });
}

type Streaming = Pick<ExportOptions, "system"> & { readonly leave: () => void; readonly bounds: ExportBounds };

function toStream(
  first: Uint8Array,
  pages: AsyncGenerator<Uint8Array, void>,
  { leave, bounds, system }: Streaming,
): ReadableStream<Uint8Array> {
  let deadline: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(deadline);
    leave();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        controller.enqueue(first);
        deadline = setTimeout(() => {
          end();
          controller.error(new Error("The export was not read in time."));
        }, bounds.deadlineMs).unref();
      },
      pull: async (controller) => {
        try {
          let { value } = await pages.next();
          while (value?.length === 0 && !isOver) ({ value } = await pages.next());
          if (isOver) return;
          if (value) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          if (isOver) return;
          end();
          system.log.error("export failed", {}, error);
          throw error;
        }
      },
      cancel: end,
    },
    // No read-ahead.
    { highWaterMark: 0 },
  );
}

async function* readPages(db: Db, asked: Export, pageRows: number): AsyncGenerator<Uint8Array, void> {
  const readPage = isFiltered(asked.filter ?? {}) || asked.order ? readFoundPage : readNewestPage;
  let lines = toCsvLine(exportColumns);
  let after: string | undefined;
  for (let left = asked.limit; left > 0; ) {
    const { rows, next } = await readPage(db, asked, { limit: Math.min(left, pageRows), after });
    for (const row of rows) lines += toCsvLine(toCells(row));
    left -= rows.length;
    after = next;
    // Empty if a walk through many tests found none.
    yield Buffer.from(lines);
    if (next === undefined) return;
    lines = "";
  }
}

type ExportPage = { readonly rows: readonly ExportedTest[]; readonly next: string | undefined };

/** One character more than a cell holds shows that the text is cut. */
const longestText = longestCell + 1;

async function readNewestPage(db: Db, { workspaceId }: Export, page: Page): Promise<ExportPage> {
  const rows = await listExportedTests(inWorkspace(db, workspaceId), { ...page, longestText });
  return { rows, next: rows.length < page.limit ? undefined : rows.at(-1)?.id };
}

/** The same tests as the list with this filter. */
async function readFoundPage(db: Db, { workspaceId, filter, order }: Export, page: Page): Promise<ExportPage> {
  const { tests, next } = await findTests(db, workspaceId, page, filter, order);
  const ids = tests.map(({ id }) => id);
  const rows = await readExportedTests(inWorkspace(db, workspaceId), ids, longestText);
  return { rows, next: next ?? undefined };
}

function toCells(row: ExportedTest): CsvCell[] {
  const cells: Readonly<Record<(typeof exportColumns)[number], CsvCell>> = {
    ...row,
    received_at: toTimestamp(row.received_at),
    from: row.header_from,
  };
  return exportColumns.map((column) => cells[column]);
}
