// Messages between processes on one PostgreSQL, by LISTEN and NOTIFY. They use a separate connection, because a pool's
// session changes hands at any time. Notices sent while a listener is disconnected are lost, and it learns that some
// may be.

import pg from "pg";
import type { System } from "../system/system.ts";

export type Notices = {
  /** Sends to every process that listens, including the sender. Each text has at most `maxNoticeBytes`. */
  readonly send: (texts: readonly string[]) => Promise<void>;
  /** `onGap` is called when it listens again and may have missed some. */
  readonly listen: (onText: (text: string) => void, onGap: () => void) => { readonly close: () => Promise<void> };
};

/** PostgreSQL's limit is just under 8,000 (NOTIFY, "payload"). */
export const maxNoticeBytes = 7_900;
export const noticeChannel = "assay_events";

const lookEveryMs = 30_000;
const answerWithinMs = 10_000;
const tryAgainAfterMs = 1_000;

export function createListen(url: string, { log }: Pick<System, "log">): Notices["listen"] {
  return (onText, onGap) => {
    let client: pg.Client | undefined;
    let timer: NodeJS.Timeout | undefined;
    let closed = false;
    let hadOne = false;
    let isLost = false;

    async function connect(): Promise<void> {
      const mine = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        query_timeout: answerWithinMs,
        keepAlive: true,
        application_name: "assay events",
      });
      client = mine;
      mine.on("error", () => {}); // 'end' follows
      mine.once("end", () => lose(mine));
      mine.on("notification", ({ payload = "" }) => onText(payload));
      try {
        await mine.connect();
        await mine.query(`listen ${noticeChannel}`);
      } catch (cause) {
        lose(mine, cause);
        return;
      }
      if (closed) return void mine.end().catch(() => {});
      if (isLost) log.info("reconnected to other processes");
      if (hadOne) onGap();
      hadOne = true;
      isLost = false;
      timer = setInterval(() => void mine.query("select 1").catch((cause) => lose(mine, cause)), lookEveryMs);
    }

    /** Logged once, however often reconnecting is tried. */
    function lose(mine: pg.Client, cause?: unknown): void {
      if (closed || client !== mine) return;
      client = undefined;
      clearInterval(timer);
      mine.end().catch(() => {});
      if (!isLost)
        log.warn("lost the connection to other processes", { cause: String(cause ?? "the connection ended") });
      isLost = true;
      hadOne = true;
      timer = setTimeout(connect, tryAgainAfterMs);
    }

    void connect();
    return {
      close: async () => {
        closed = true;
        clearTimeout(timer);
        await client?.end().catch(() => {});
      },
    };
  };
}
