// Hostile markup on a server of its own, many pieces to a page, each in a frame: as it is, or behind one of the walls that
// the preview has two of. What it does there is seen by whoever watches the browser.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Frame, Request } from "playwright-core";

/** How a piece is answered. */
export type Served = { readonly html: string; readonly policy: string | null };

export type AttackRange = {
  /** The numbers of those that ran a script, loaded from elsewhere or led away. */
  readonly findLive: (pieces: readonly Served[], perPage: number) => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

/** For what begins by itself: it did so within a few milliseconds wherever it was not kept from it. */
const settleMs = 150;

export async function openAttackRange(browser: Browser): Promise<AttackRange> {
  let served: readonly Served[] = [];
  const server = createServer((request, response) => {
    const [, kind, number = "0", count = "0"] = (request.url ?? "").split("/");
    const html = { "content-type": "text/html; charset=utf-8" };
    const piece = kind === "piece" ? served[Number(number)] : undefined;
    if (kind === "page") response.writeHead(200, html).end(pageOf(served, Number(number), Number(count)));
    else if (!piece) response.writeHead(404).end();
    else if (piece.policy === null) response.writeHead(200, html).end(piece.html);
    else response.writeHead(200, { ...html, "content-security-policy": piece.policy }).end(piece.html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function findLiveOn(first: number, count: number): Promise<number[]> {
    const live = new Set<number>();
    const note = (url: string | undefined) => {
      const [, number] = /\/piece\/(\d+)$/.exec(url ?? "") ?? [];
      if (number !== undefined) live.add(Number(number));
    };
    const context = await browser.newContext();
    const page = await context.newPage();
    /** Where each frame began, whatever it leads to. */
    const beganAt = new Map<Frame, string>();
    const pieceOf = (frame: Frame): string => {
      const around = frame.parentFrame();
      return beganAt.get(frame) ?? (around && beganAt.has(around) ? pieceOf(around) : frame.url());
    };
    page.on("framenavigated", (frame) => {
      if (frame.url().includes("/piece/")) beganAt.set(frame, frame.url());
    });
    await page.exposeBinding("alert", ({ frame }) => note(pieceOf(frame)));
    const noteAway = (request: Request) => {
      if (request.url().startsWith(`${base}/`) || /^(data|about|blob):/.test(request.url())) return;
      // Refused by the policy, or by the browser wherever it stands, before anything left.
      if (/csp|origin|BLOCKED_BY/i.test(request.failure()?.errorText ?? "")) return;
      const frame = frameOf(request);
      note(frame ? pieceOf(frame) : undefined);
      note(request.headers().referer);
    };
    context.on("requestfinished", noteAway);
    context.on("requestfailed", noteAway);
    await page.goto(`${base}/page/${first}/${count}`, { waitUntil: "load" }).catch(() => {});
    await page.waitForTimeout(settleMs);
    await context.close();
    return [...live];
  }

  return {
    findLive: async (pieces, perPage) => {
      served = pieces;
      const live: number[] = [];
      for (let first = 0; first < pieces.length; first += perPage) live.push(...(await findLiveOn(first, perPage)));
      return live;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A window that has only just opened has none yet. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

function pageOf(served: readonly Served[], first: number, count: number): string {
  const numbers = served.slice(first, first + count).map((_, index) => first + index);
  const frames = numbers.map((number) => `<iframe src="/piece/${number}"></iframe>`).join("");
  return `<!doctype html><title>Range</title>${frames}`;
}
