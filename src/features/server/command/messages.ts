// Raw messages outside the database: moving them, and checking that every one is there.

import { type Arguments, answer, type Command, exitCodes } from "../../../platform/cli/command.ts";
import type { Place } from "../../../platform/database/messages.ts";
import { Refusal } from "../../../platform/errors.ts";
import { serveOrThrow } from "../../../platform/work/serve-row.ts";
import { withStore } from "./with-store.ts";

const places: readonly Place[] = ["database", "s3"];

export const messagesMove: Command = {
  group: "maintain",
  name: "messages move",
  summary: "Move raw messages to another place. The server can keep running.",
  usage: "messages move --to <database|s3>",
  example: "assay messages move --to s3",
  options: { to: { value: "place", doc: "Where to: database or s3." } },
  details: () =>
    "First set ASSAY_MESSAGES and restart the server, so that new messages go to the same place and the server can read\nboth. You can interrupt the move and run it again: it goes on with the messages that are left.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store, system }) => {
        const to = readPlace(args);
        if (to === "s3" && store.messages.s3 === null)
          throw new Refusal("invalid_request", "The S3 store is not configured. Set ASSAY_S3_URL with a bucket first.");
        const { moveMessages } = await import("../upkeep/objects.ts");
        const onProgress = (done: number) => terminal.err(`${done} messages moved …\n`);
        const result = await moveMessages({ store, system }, to, onProgress);
        answer(args, terminal, { to, ...result }, () => toMoved(result, to));
        return result.lost > 0 ? exitCodes.failed : exitCodes.fine;
      },
      { action: "message.move", effect: "outside", request: { to: args.option("to") }, log: "server" },
    ),
};

function toMoved({ moved, lost }: { readonly moved: number; readonly lost: number }, to: Place): string {
  const done = `Moved ${moved} messages to ${toWords(to)}.`;
  return lost === 0 ? done : `${done} ${lost} could not be moved, because they are missing or damaged.`;
}

function toWords(place: Place): string {
  return { database: "the database", s3: "the S3 store" }[place];
}

function readPlace(args: Arguments): Place {
  const to = places.find((place) => place === args.option("to"));
  if (to === undefined) throw new Refusal("invalid_request", `--to must be one of ${places.join(", ")}.`);
  return to;
}

export const messagesCheck: Command = {
  group: "maintain",
  name: "messages check",
  summary: "Read every raw message outside the database and compare its checksum.",
  usage: "messages check [--json]",
  example: "assay messages check",
  details: () => "Exits with 1 if a message is missing or damaged, and lists the IDs of the tests.",
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store, system }) => {
      const { checkMessages } = await import("../upkeep/objects.ts");
      const checked = await checkMessages({ store, system });
      const { messages, missing } = checked;
      answer(args, terminal, checked, () =>
        missing.length === 0
          ? `All ${messages} messages outside the database are there and unchanged.`
          : [`${missing.length} of ${messages} messages are missing or damaged:`, ...missing].join("\n"),
      );
      return missing.length > 0 ? exitCodes.failed : exitCodes.fine;
    }),
};

export const messagesSweep: Command = {
  group: "maintain",
  name: "messages sweep",
  summary: "Delete stored messages that no test points to. The server does this every day.",
  usage: "messages sweep [--older-than-minutes <minutes>] [--json]",
  example: "assay messages sweep",
  options: { "older-than-minutes": { value: "minutes", doc: "Only objects older than this (default: 1440, a day)." } },
  details: () =>
    "Such objects are left behind by a server that was killed while a message arrived. Only objects of this installation\nare deleted. Don't use less than 10 minutes while a server is running.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store, system }) => {
        const minutes = args.option("older-than-minutes") ?? "1440";
        if (!/^\d{1,6}$/.test(minutes))
          throw new Refusal("invalid_request", "--older-than-minutes must be a whole number.");
        const [{ sweepOrphans }, { resumeSentence }] = await Promise.all([
          import("../upkeep/objects.ts"),
          import("../upkeep/object-owner.ts"),
        ]);
        const swept = await sweepOrphans(
          { store, system },
          { olderThanMs: Number(minutes) * 60_000, serve: serveOrThrow },
        );
        const text = `Deleted ${swept.removed} of ${swept.objects} objects.`;
        answer(args, terminal, swept, () =>
          [text, ...swept.paused.map((place) => `${toPausedWords(place)} ${resumeSentence}`)].join("\n"),
        );
        return swept.paused.length > 0 ? exitCodes.failed : exitCodes.fine;
      },
      { action: "message.sweep", effect: "outside", log: "server" },
    ),
};

function toPausedWords(place: Place): string {
  return `Nothing is deleted from ${toWords(place)}, because another database may use it.`;
}
