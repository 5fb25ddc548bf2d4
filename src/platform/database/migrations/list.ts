// All migrations in order. A list in code, because a single binary has no folder to read them from.

import { firstTables } from "./0001-first-tables.ts";
import { intakeCounts } from "./0002-intake-counts.ts";
import { oneIndexLess } from "./0003-one-index-less.ts";
import { kindRules } from "./0004-kind-rules.ts";
import { sendingVolume } from "./0005-sending-volume.ts";
import { searchAndUndo } from "./0006-search-and-undo.ts";
import { alertMail } from "./0007-alert-mail.ts";
import { testExaminations } from "./0008-test-examinations.ts";
import { rehearsals } from "./0009-rehearsals.ts";
import { unsubscribes } from "./0010-unsubscribes.ts";
import { streams } from "./0011-streams.ts";
import { monitors } from "./0012-monitors.ts";
import { canaries } from "./0013-canaries.ts";
import { expectedMail } from "./0014-expected-mail.ts";
import { feedback } from "./0015-feedback.ts";
import { incomingHooks } from "./0016-incoming-hooks.ts";
import { mailboxMessages } from "./0017-mailbox-messages.ts";
import { streamKinds } from "./0018-stream-kinds.ts";
import { messageObjects } from "./0019-message-objects.ts";
import { tokenScopes } from "./0020-token-scopes.ts";
import { auditLog } from "./0021-audit-log.ts";
import { dnsRetries } from "./0022-dns-retries.ts";
import { identities } from "./0023-identities.ts";
import { secondFactors } from "./0024-second-factors.ts";
import { invitationMail } from "./0025-invitation-mail.ts";
import { foundByColumn } from "./0026-found-by-column.ts";
import { createdWithToken } from "./0027-created-with-token.ts";
import { outgoingServer } from "./0028-outgoing-server.ts";
import type { Migration } from "./migration.ts";

export const migrations: readonly Migration[] = [
  firstTables,
  intakeCounts,
  oneIndexLess,
  kindRules,
  sendingVolume,
  searchAndUndo,
  alertMail,
  testExaminations,
  rehearsals,
  unsubscribes,
  streams,
  monitors,
  canaries,
  expectedMail,
  feedback,
  incomingHooks,
  mailboxMessages,
  streamKinds,
  messageObjects,
  tokenScopes,
  auditLog,
  dnsRetries,
  identities,
  secondFactors,
  invitationMail,
  foundByColumn,
  createdWithToken,
  outgoingServer,
];
