import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { toWholePoints } from "../../analyzer/words/grade-words.ts";
import {
  type Arguments,
  answer,
  type Command,
  type ExitCode,
  type Terminal,
  toExitCodeHelp,
} from "../../platform/cli/command.ts";
import { serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { Refusal } from "../../platform/errors.ts";
import { toTable } from "../../platform/table.ts";
import { workspaceOption } from "../people/command/token.ts";
import { withServer } from "../server/command/with-server.ts";
import type { Stream } from "../tests/contract/streams.ts";
import { listStreams, readStream, type StreamDetail } from "./contract.ts";

export const streams: Command = {
  group: "use",
  name: "streams",
  summary: "List streams with their usual scores, or the tests of one stream and what changed.",
  usage: "streams [<id>] [options]",
  example: "assay streams --limit 10",
  positionals: { min: 0, max: 1 },
  options: {
    limit: { value: "number", doc: "How many to list, up to 100 (default 20). The newest tests of one stream." },
    ...serverOptions,
    workspace: workspaceOption,
  },
  details: () => toExitCodeHelp({ 0: "OK", 2: "usage error", ...serverExitCodes }),
  run: showStreams,
};

const listed = "20";

function showStreams(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const wanted = args.option("limit") ?? listed;
  if (!/^(?:[1-9]\d?|100)$/.test(wanted))
    throw new Refusal("invalid_request", "--limit must be a whole number from 1 to 100.");
  const limit = Number(wanted);
  const [id] = args.positionals;
  return withServer(args, terminal, async (server) => {
    if (id === undefined) {
      const { items, total } = await server.call(listStreams, { query: { limit } });
      return answer(args, terminal, items, () => toList(items, total, terminal));
    }
    const stream = await server.call(readStream, { params: { id } });
    const steps = stream.steps.slice(-limit);
    return answer(args, terminal, { ...stream, steps }, () => toSteps({ ...stream, steps }, terminal));
  });
}

function toList(items: readonly Stream[], total: number, { columns }: Terminal): string {
  if (items.length === 0) return "No streams.";
  const rows = items.map(({ id, name, usualScore, lastMove, lastAt }) => [
    id,
    usualScore === null ? "?" : toWholeScore(usualScore),
    lastMove === null
      ? "none"
      : `${toSigned(toWholePoints(lastMove.usualScore, lastMove.score))} on ${toMinute(lastMove.at).slice(0, 10)}`,
    toMinute(lastAt),
    name,
  ]);
  const table = toTable([["ID", "USUAL", "LAST UNUSUAL", "NEWEST TEST (UTC)", "STREAM"], ...rows], columns);
  return total > items.length ? `${table}\n${total - items.length} more. Use --limit, up to 100.` : table;
}

function toSteps(stream: StreamDetail, { columns }: Terminal): string {
  const { name, usualScore, usualSince, steps } = stream;
  const since = usualSince
    ? ` since ${toMinute(usualSince.at).slice(0, 10)}, ${toWholeScore(usualSince.before)} before`
    : "";
  const usual = usualScore === null ? "not known yet (three tests are needed)" : `${toWholeScore(usualScore)}${since}`;
  const head = `${name}\nUsual score: ${usual}`;
  if (steps.length === 0) return `${head}\nAll tests of this stream were deleted.`;
  const rows = steps
    .toReversed()
    .map(({ testId, receivedAt, score, usualScore, points, changes }) => [
      testId,
      toMinute(receivedAt),
      score === null ? "?" : toWholeScore(score),
      points === null ? "" : toSigned(toWholePoints(usualScore ?? 0, score ?? 0)),
      changes.map(({ says }) => says).join(" "),
    ]);
  return `${head}\n\n${toTable([["TEST", "RECEIVED (UTC)", "SCORE", "MOVE", "CHANGED"], ...rows], columns)}`;
}

function toMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

function toSigned(points: number): string {
  return points > 0 ? `+${points}` : `${points}`;
}
