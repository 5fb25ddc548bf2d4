// All migrations in order. A list in code, because a single binary has no folder to read them from.

import { firstRelease } from "./0001-first-release.ts";
import { learned } from "./0002-learned.ts";
import { publicTests } from "./0003-public-tests.ts";
import { ownAddresses } from "./0004-own-addresses.ts";
import { senders } from "./0005-senders.ts";
import { severalReports } from "./0006-several-reports.ts";
import type { Migration } from "./migration.ts";

export const migrations: readonly Migration[] = [
  firstRelease,
  learned,
  publicTests,
  ownAddresses,
  senders,
  severalReports,
];
