// The tests of a workspace as a stream of CSV, page by page from behind the last row of the page before: no transaction
// stays open while a client reads, no row comes twice, and what arrives meanwhile is not in it. The next page is read
// when the client has taken the last one; a client that takes too long is let go, so that it holds no place for ever.

import { exportColumns } from "../../api/export.ts";
import { toTimestamp } from "../../api/primitives.ts";
import { overloaded, Refusal } from "../../errors.ts";
import { type CsvCell, longestCell, toCsvLine } from "../../reports/csv.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import { type ExportedTest, listExportedTests } from "../../store/tests/lists.ts";
import { createLimiter, createLimiters } from "../../system/limiter.ts";
import type { System } from "../../system/system.ts";

type Export = { readonly workspaceId: string; readonly limit: number };

/** Resolves when the first page is there: what goes wrong until then is told as any error, later it breaks the stream off. */
export type ExportTests = (asked: Export) => Promise<ReadableStream<Uint8Array>>;

type ExportOptions = {
  readonly store: Pick<Store, "readInWorker">;
  readonly system: Pick<System, "log">;
  readonly bounds?: Partial<ExportBounds>;
};

export type ExportBounds = {
  /** Each holds a page in memory: 10 MB where strangers have filled every cell to its bound, else some KB. */
  readonly atOnce: number;
  /** So that one workspace, with clients that read slowly, leaves room for others. */
  readonly atOnceInWorkspace: number;
  /** How long an export waits for its turn; one that is read at once takes less than a second. */
  readonly patienceMs: number;
  /** For the whole of it: a megabyte, which the slowest line carries in that time. */
  readonly deadlineMs: number;
  /** Small, because long reads stand in one line, where others wait behind each page. */
  readonly pageRows: number;
};

const exportBounds: ExportBounds = {
  atOnce: 8,
  atOnceInWorkspace: 2,
  patienceMs: 10_000,
  deadlineMs: 300_000,
  pageRows: 50,
};

export function createExporter({ store, system, bounds: changes }: ExportOptions): ExportTests {
  const bounds = { ...exportBounds, ...changes };
  const enter = createEntrance(bounds);
  return async ({ workspaceId, limit }) => {
    const leave = await enter(workspaceId);
    try {
      const scope = inWorkspace(store.readInWorker, workspaceId);
      const pages = readPages(scope, limit, bounds.pageRows);
      const first = await pages.next();
      return toStream(first.value ?? new Uint8Array(), pages, { leave, bounds, system });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** The line of the workspace first: who waits there takes no place from the others. Answers how to leave, once. */
function createEntrance({ atOnce, atOnceInWorkspace, patienceMs }: ExportBounds) {
  const gate = createLimiter(atOnce);
  const gates = createLimiters(atOnceInWorkspace);
  return async (workspaceId: string): Promise<() => void> => {
    if (!(await gates.enter(workspaceId, patienceMs))) throw tooMany(atOnceInWorkspace);
    if (!(await gate.enter(patienceMs))) {
      gates.leave(workspaceId);
      throw overloaded("Other tests are being exported");
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

function tooMany(atOnce: number): Refusal {
  const message = `${atOnce} exports of this workspace are under way; try again when one has ended.`;
  return new Refusal("rate_limited", message, { retryAfterSeconds: 5 });
}

type Streaming = Pick<ExportOptions, "system"> & {
  readonly leave: () => void;
  readonly bounds: ExportBounds;
};

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
          const { value } = await pages.next();
          if (isOver) return;
          if (value) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          if (isOver) return;
          end();
          system.log.error("An export broke off.", {}, error);
          throw error;
        }
      },
      cancel: end,
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

async function* readPages(scope: Scope, limit: number, pageRows: number): AsyncGenerator<Uint8Array, void> {
  let lines = toCsvLine(exportColumns);
  let after: string | undefined;
  for (let left = limit; left > 0; left -= pageRows) {
    const asked = Math.min(left, pageRows);
    // One character more than a cell holds tells that it is cut.
    const rows = await listExportedTests(scope, { limit: asked, after, longestText: longestCell + 1 });
    for (const row of rows) lines += toCsvLine(toCells(row));
    yield Buffer.from(lines);
    if (rows.length < asked) return;
    lines = "";
    after = rows.at(-1)?.id;
  }
}

function toCells(row: ExportedTest): CsvCell[] {
  const cells: Readonly<Record<(typeof exportColumns)[number], CsvCell>> = {
    ...row,
    received_at: toTimestamp(row.received_at),
    from: row.header_from,
  };
  return exportColumns.map((column) => cells[column]);
}
