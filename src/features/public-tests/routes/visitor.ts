// What a visitor without an account calls. With the setting off, the paths don't exist.

import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { isSecret } from "../../../platform/contract/secrets.ts";
import { Refusal, statusOf } from "../../../platform/errors.ts";
import { pathNotFound } from "../../../platform/http/errors.ts";
import { byStranger, type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import {
  answerStrangersMessage,
  answerStrangersPage,
  readStrangersTest,
  type StrangersTest,
  toStrangersMail,
  toStrangersTest,
} from "../../tests/routes/strangers.ts";
import * as api from "../contract/visitor.ts";
import { readTestState } from "../rows.ts";
import type { PublicTestsTable } from "../tables.ts";
import { buttonImage } from "./button.ts";
import { answerVisitor, toHome, type VisitorView } from "./visitor-page.ts";

type Place = { readonly secret: string; readonly row: PublicTestsTable };

/** The same answer as for a path that doesn't exist, so that nothing is learned by trying. */
function requireOn({ publicDoor }: Server): void {
  if (!publicDoor.isOn()) throw pathNotFound();
}

async function requireTest(secret: string, server: Server): Promise<Place> {
  requireOn(server);
  const row = isSecret(secret) ? await server.publicDoor.find(secret) : undefined;
  if (row === undefined) throw pathNotFound();
  return { secret, row };
}

type State = "waiting" | "analyzing" | "ready" | "over";

/** What became of it. Over: nothing came in time, or what came was no test, such as a bounce. */
async function readState({ row }: Place, { store, system }: Server): Promise<State> {
  if (row.test_id === null) return row.takes_until > system.now() ? "waiting" : "over";
  return (await readTestState(store.read, row.test_id)) ?? "over";
}

/** Undefined if there is no report. */
async function readReport(place: Place, server: Server): Promise<StrangersTest | undefined> {
  if (place.row.test_id === null || (await readState(place, server)) !== "ready") return undefined;
  return await readStrangersTest(await toPlace(place.row.test_id, server), server);
}

async function toPlace(testId: string, { publicDoor }: Server) {
  return { workspaceId: await publicDoor.workspaceId(), testId };
}

/** The frame of another site stays one. */
const toQuery = (embed: string | undefined) => (embed === "1" ? "?embed=1" : "");

async function answerView(
  shows: VisitorView["shows"],
  embed: string | undefined,
  server: Server,
  init?: ResponseInit,
): Promise<Response> {
  return answerVisitor(
    { page: await server.publicDoor.readPage(), frame: embed === "1" ? "any" : "none", shows },
    init,
  );
}

/** A visitor sees on the page why there is no address now. A program gets our error. */
async function orTrouble(
  made: () => Promise<{ readonly secret: string }>,
  { headers, query: { embed } }: { headers: { accept?: string | undefined }; query: { embed?: string | undefined } },
  server: Server,
): Promise<Response> {
  requireOn(server);
  try {
    const { secret } = await made();
    const location = `/test/${secret}${toQuery(embed)}`;
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  } catch (error) {
    if (!(error instanceof Refusal) || !headers.accept?.includes("text/html")) throw error;
    const { retryAfterSeconds } = error.details;
    const says = visitorsWords[error.code] ?? error.message;
    const trouble = retryAfterSeconds === undefined ? says : `${says} ${toComeBack(retryAfterSeconds)}`;
    const after = retryAfterSeconds && { "retry-after": String(Math.ceil(retryAfterSeconds)) };
    return await answerView({ kind: "start", trouble }, embed, server, {
      status: statusOf[error.code],
      headers: { ...after },
    });
  }
}

/** In place of words for programs. */
const visitorsWords: Readonly<Partial<Record<Refusal["code"], string>>> = {
  payload_too_large: "The message is larger than 5 MB. Get a test address, and send it there.",
};

function toComeBack(seconds: number): string {
  if (seconds < 120) return "Try again in a minute or two.";
  if (seconds < 7_200) return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
  if (seconds < 172_800) return `Try again in ${Math.ceil(seconds / 3_600)} hours.`;
  return `Try again in ${Math.ceil(seconds / 86_400)} days.`;
}

export const visitorRoutes: readonly Route[] = [
  route(api.readPublicStart, async ({ query: { embed } }, server) => {
    requireOn(server);
    return await answerView({ kind: "start" }, embed, server);
  }),

  route(api.readPublicChallenge, async (_call, server) => {
    requireOn(server);
    const { publicDoor } = server;
    return { challenge: publicDoor.needsProof() ? await publicDoor.proofs.create() : null };
  }),

  route(api.readPublicFile, ({ params: { name } }, server) => {
    requireOn(server);
    if (name === "button.svg") return answerFile(buttonImage, "image/svg+xml");
    const bytes = server.webFiles.get(`public-${name}`);
    if (bytes === undefined) throw pathNotFound();
    return answerFile(Buffer.from(bytes).toString("utf8"), "text/javascript; charset=utf-8");
  }),

  route(api.openPublicTest, async (call, server) => {
    const open = async () => {
      const form = new URLSearchParams(Buffer.from(await call.body.read(mostFormBytes)).toString("utf8"));
      return await server.publicDoor.open({ client: call.client.address, proof: form.get("proof") || null });
    };
    return await orTrouble(open, call, server);
  }).recording(byStranger),

  route(api.pastePublicTest, async (call, server) => {
    const { publicDoor, receiveUpload, config } = server;
    const visit = { client: call.client.address, proof: call.query.proof ?? null };
    const most = Math.min(config.smtpMaxMessageBytes, mostPastedBytes);
    const claims = { clientAddress: null, helo: null, mailFrom: null, trusted: [] };
    const paste = () =>
      publicDoor.paste(visit, async (workspaceId) => {
        // Read first, because the owners' own uploads wait for whatever is being read in turn.
        const raw = await call.body.read(most);
        const bytes = raw.byteLength;
        const upload = { mostBytes: bytes, read: async () => raw };
        return { testId: await receiveUpload({ workspaceId, label: null, claims }, upload), bytes };
      });
    return await orTrouble(paste, call, server);
  }).recording(byStranger),

  route(api.readPublicTest, async ({ params, headers, query: { embed } }, server) => {
    const isJson = params.secret.endsWith(".json");
    const secret = isJson ? params.secret.slice(0, -".json".length) : params.secret;
    const place = await requireTest(secret, server).catch((error: unknown) => {
      if (isJson || !server.publicDoor.isOn() || !headers.accept?.includes("text/html")) throw error;
      return null;
    });
    if (place === null) return await answerView(gone, embed, server, { status: statusOf.not_found });
    const [state, found] = [await readState(place, server), await readReport(place, server)];
    if (isJson) return answerJson(state, found);
    if (found) return await answerReport(place, found, { embed, accepts: headers["accept-encoding"] }, server);
    return await answerView(toShown(state, place, server), embed, server);
  }),

  route(api.readPublicState, async ({ params: { secret } }, server) => ({
    state: await readState(await requireTest(secret, server), server),
  })),

  route(api.readPublicMessage, async ({ params: { secret }, query: { embed } }, server) => {
    const found = await readReport(await requireTest(secret, server), server);
    // Without its report, it isn't known whose addresses to mask.
    if (!found || found.test.findings === null) throw pathNotFound();
    const workspaceId = await server.publicDoor.workspaceId();
    return await answerStrangersMessage({ workspaceId, isEmbedded: embed === "1" }, found, server);
  }),

  route(api.deletePublicTest, async ({ params: { secret }, query: { embed } }, server) => {
    const { row } = await requireTest(secret, server);
    await server.publicDoor.end(row);
    return await answerView({ kind: "start", isDeleted: true }, embed, server);
  }).recording(byStranger),
];

const gone: VisitorView["shows"] = {
  kind: "notice",
  title: "Nothing here",
  says: "This report was deleted, or the link isn’t complete.",
};

function toShown(state: State, { secret, row }: Place, { config }: Server): VisitorView["shows"] {
  if (state === "analyzing" || state === "ready") return { kind: "analyzing", secret };
  if (state === "waiting") {
    const address = `${row.local_part}@${config.seedDomains[0] ?? ""}`;
    return { kind: "waiting", secret, address, until: toTimestamp(row.takes_until) };
  }
  return row.test_id === null
    ? { kind: "notice", title: "No message came", says: "An address takes a message for an hour, and none arrived." }
    : {
        kind: "notice",
        title: "No report",
        says: "What arrived is a bounce, an automatic reply, or a report, and no message to test.",
      };
}

const mostFormBytes = 8_192;
/** Enough for any newsletter. Larger ones come by mail. */
const mostPastedBytes = 5_000_000;

async function answerReport(
  { secret, row }: Place,
  found: StrangersTest,
  { embed, accepts }: { readonly embed: string | undefined; readonly accepts: string | undefined },
  server: Server,
): Promise<Response> {
  const { publicDoor } = server;
  const { name, logo } = await publicDoor.readPage();
  const query = toQuery(embed);
  const here = `/test/${secret}`;
  const src = `${here}/message${query}`;
  const workspaceId = await publicDoor.workspaceId();
  return await answerStrangersPage(
    server,
    {
      note: "Only people with this link can read the report",
      time: { says: "deleted on", at: toTimestamp(row.ends_at) },
      mail: await toStrangersMail({ workspaceId, src, leftOut: null }, found, server),
      content: { shows: "share", test: toStrangersTest(found, false) },
      owner: { name, logo, home: toHome(query), deleteAt: `${here}/delete${query}`, help: "/docs/mail-in-spam" },
      foot: [`Assay ${server.version}`],
    },
    { title: "Your report", isEmbedded: embed === "1", accepts },
  );
}

function answerJson(state: State, found: StrangersTest | undefined): Response {
  const report = found ? toStrangersTest(found, false) : null;
  return new Response(JSON.stringify({ state, report }), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow, noarchive",
    },
  });
}

/** For an hour, because other sites embed them. */
function answerFile(text: string, type: string): Response {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    "cross-origin-resource-policy": "cross-origin",
  };
  return new Response(text, { headers });
}
