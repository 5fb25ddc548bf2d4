// What the watcher of seed mailboxes stands on and is not there yet: each line leaves with the part that it waits for.

import type { MailboxWatcherOptions } from "./mailbox-watcher.ts";

export const awaitedParts: Pick<MailboxWatcherOptions, "openThread" | "accessTokenOf" | "keepSightings"> = {
  openThread: (onNews) => ({
    order: ({ order, ...of }) => {
      if (order !== "watch" || !("id" in of)) return;
      const problem = "This server cannot read mailboxes yet.";
      const news = { news: "trouble", id: of.id, problem, isFinal: false, needsLogin: false } as const;
      setImmediate(() => void onNews(news));
    },
    close: async () => {},
  }),
  accessTokenOf: async () => ({
    ok: false,
    problem: "This server cannot ask for access tokens yet.",
    isFinal: false,
  }),
  keepSightings: async () => {},
};
