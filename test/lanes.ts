// What runs when. `npm run test:quick` runs what needs no server, database or program, `npm test` what a change can break, and
// `npm run test:all` everything. `npm run test:rest` is what `npm test` leaves for each change in CI. A file that is named on
// the command line runs whole.

import { matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";

type Lane = "quick" | "usual" | "rest" | "all";

const lanes: readonly Lane[] = ["quick", "usual", "rest", "all"];

export const lane = lanes.find((one) => one === process.env.ASSAY_TESTS) ?? "usual";

export const isWhole = lane === "all" || lane === "rest";

/** Rooms whose tests only compute, so that they need no build of the threads and no database. */
export const computing = [
  "test/analyzer/{checks,dns,facts,mail,placement,reports,second-reader,domains,words}/**/*.test.ts",
  "test/features/*/{contract,formats,rules,words}/**/*.test.ts",
  "test/features/*/{contract,rules,words}.test.ts",
  "test/platform/{contract,settings,audit/rules}/**/*.test.ts",
];

type Expensive = Readonly<Record<string, readonly string[]>>;

/** Files that `npm test` leaves to `npm run test:rest`, by what makes them expensive. test/README.md names them. */
export const onlyInRest: Expensive = {
  "The web app in Chromium, but for the first report": [
    "test/web/!(first-report|dashboard-words|feedback-words|journey-words|proposed-records|words).test.ts",
  ],
  "Assay as processes": [
    "test/e2e/{account-mail,alert-mail,alert-receivers,audit,dns-trouble,domain-drift,integrations}.test.ts",
    "test/e2e/{laboratory,mcp,pipeline,plans,serve,server-settings,set-up-in-app,together}.test.ts",
  ],
  "The commands and code of the handbook, packages, and the install": ["test/{handbook,scripts}/**/*.test.ts"],
};

/** Files that `npm run test:rest` leaves out as well, so that they run before a release only. */
export const onlyAtNight: Expensive = {
  "Pages of the web app that few changes touch": [
    "test/web/{account-mail,alert-email,audit,canaries,compare,doors,forwarding,handbook,inbox-rows}.test.ts",
    "test/web/{incoming-hooks,integrations,laboratory,monitors,organization,outgoing-server,own-domain}.test.ts",
    "test/web/{placement,public-tests,rehearsal,sample,second-factors,second-reader,sending-volume}.test.ts",
    "test/web/{server-settings,streams,unsubscribe,what-if}.test.ts",
  ],
  "Kills, outages, several processes on one database, upgrades": [
    "test/e2e/{audit-kills,composition-kills,hostile-peers,object-storage,outages,releases}.test.ts",
    "test/e2e/{retention,two-processes}.test.ts",
    "test/features/backups/work/killed.test.ts",
  ],
  "Postfix, Dovecot, Mailman, and other real servers": [
    "test/e2e/{forwarding,imap-inbox,rehearsal,seed-mailboxes,send-by-postfix,sending-snippets}.test.ts",
    "test/features/mailboxes/work/{hostile,thread}.test.ts",
  ],
  "Full tables, months, and real clocks": [
    "test/platform/database/engine/write-queue.test.ts",
    "test/features/tests/rows/lists.test.ts",
    "test/features/dashboard/work/dashboard.test.ts",
    "test/features/tests/work/replay.test.ts",
    "test/features/domains/work/{drift,watcher}.test.ts",
    "test/features/feedback/work/feedback.test.ts",
    "test/features/monitors/work/expected.test.ts",
    "test/features/own-addresses/thirty-days.test.ts",
    "test/features/server/upkeep/damage.test.ts",
  ],
};

const root = fileURLToPath(new URL("..", import.meta.url));

/** Whether `npm test` leaves it out. */
export function isExpensive(path: string): boolean {
  const file = relative(root, path);
  return [onlyInRest, onlyAtNight].flatMap(globsOf).some((glob) => matchesGlob(file, glob));
}

function globsOf(files: Expensive): readonly string[] {
  return Object.values(files).flat();
}

/** What this lane leaves out. */
export const leftOut: readonly string[] = [
  ...(isWhole ? [] : globsOf(onlyInRest)),
  ...(lane === "all" ? [] : globsOf(onlyAtNight)),
];

/** The cases of an exhaustive suite: in `npm test` each tenth, always the same. */
export function sampleOf<Case>(cases: readonly Case[], offset = 0): readonly Case[] {
  return isWhole ? cases : cases.filter((_, index) => (index + offset) % 10 === 0);
}

/** The same of a suite whose cases much alike go through the same code. `npm run test:rest` runs another tenth of them. */
export function fewOf<Case>(cases: readonly Case[], offset = 0): readonly Case[] {
  return lane === "rest" ? cases.filter((_, index) => (index + offset) % 10 === 5) : sampleOf(cases, offset);
}
