// Tells people about an upgrade of the database: the log names each step, and the server's ports answer that it is being
// upgraded (platform/system/upgrade-thread.ts).

import { once } from "node:events";
import { hostname } from "node:os";
import type { Worker } from "node:worker_threads";
import { toDurationWords, type UpgradePlan, type UpgradeWatch } from "../../../platform/database/migrations/upgrade.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { spawnThread } from "../../../platform/system/assets.ts";
import type { System } from "../../../platform/system/system.ts";
import { readTlsFiles } from "../../../platform/system/tls-files.ts";
import type { UpgradeThreadNews, UpgradeThreadSetup } from "../../../platform/system/upgrade-thread.ts";

type WatchedConfig = Pick<
  Config,
  "httpHost" | "httpPort" | "httpTlsCert" | "httpTlsKey" | "smtpListen" | "smtpHostname"
>;

export function createUpgradeWatch(config: WatchedConfig, { log, now }: Pick<System, "log" | "now">): UpgradeWatch {
  let plan: UpgradePlan | undefined;
  let thread: Worker | undefined;
  let began = 0;
  return {
    begin: async (planned) => {
      plan = planned;
      began = now();
      thread = spawnThread("upgrade-thread", await toSetup(config, planned, now()));
      // The upgrade matters more than an answer.
      thread.on("error", (cause: Error) =>
        log.warn("the ports are closed while the database is upgraded", { why: cause.message }),
      );
      const news = await nextNews(thread);
      if (news?.type === "listening") log.info("ports answer that Assay is being upgraded", toPorts(news));
    },
    step: (name) => {
      const at = plan?.steps.findIndex((step) => step.name === name) ?? -1;
      const step = plan?.steps[at];
      // Another process may have made a step of the plan, or a new database has none.
      if (!plan || !step) return;
      const expected = toDurationWords(step.expectedMs);
      log.info("upgrade step", { step: name, of: `${at + 1}/${plan.steps.length}`, expected });
    },
    end: async (isDone) => {
      if (!thread) return;
      const ending = thread;
      thread = undefined;
      ending.postMessage("close");
      await nextNews(ending);
      await ending.terminate();
      const seconds = Math.round((now() - began) / 1_000);
      if (isDone) log.info("the database was upgraded", { seconds });
      else log.error("the upgrade of the database failed; the next start goes on where it failed", { seconds });
    },
  };
}

async function toSetup(config: WatchedConfig, plan: UpgradePlan, now: number): Promise<UpgradeThreadSetup> {
  const { httpHost, httpPort, httpTlsCert: cert, httpTlsKey: key, smtpListen, smtpHostname } = config;
  const reading = cert !== null && key !== null ? await readTlsFiles({ cert, key }, now) : null;
  return {
    http: reading?.ok === false ? null : { host: httpHost, port: httpPort },
    tls: reading?.ok ? reading.pair : null,
    smtp: smtpListen,
    hostname: smtpHostname ?? hostname(),
    expectedMs: plan.expectedMs,
  };
}

/** Undefined: the thread ended. */
async function nextNews(thread: Worker): Promise<UpgradeThreadNews | undefined> {
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  try {
    const [news] = (await once(thread, "message", { signal: ended.signal })) as [UpgradeThreadNews];
    return news;
  } catch {
    return undefined;
  }
}

function toPorts({ http, smtp }: Extract<UpgradeThreadNews, { type: "listening" }>) {
  return { http, smtp: smtp.join(",") || null };
}
