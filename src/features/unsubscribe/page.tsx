// Unsubscribes the address that received the message, on a click, and shows whether mail of the list still arrives.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { useDoing } from "../../web/client/use-action.ts";
import { toDuration, toSize } from "../../web/client/words.ts";
import { Dialog } from "../../web/parts/dialog.tsx";
import { RadioOption } from "../../web/parts/form.tsx";
import { Icon } from "../../web/parts/icon.tsx";
import { ErrorNote, Note, Skeleton } from "../../web/parts/states.tsx";
import { Moment } from "../../web/parts/text.tsx";
import type { TestReport } from "../tests/contract/tests.ts";
import type { UnsubscribeAttempt, Unsubscribes, UnsubscribeVisit } from "./contract.ts";

/** Only list mail and mail with an unsubscribe link can be unsubscribed, so other reports don't ask. */
function isListMail({ headers }: TestReport): boolean {
  return headers?.some(({ name }) => /^list-(?:unsubscribe|id)$/i.test(name)) ?? false;
}

type Message = { readonly links: readonly { readonly href: string; readonly unsubscribes: boolean }[] };

export function findBodyLink(eml: Message | null): string | null {
  return eml?.links.find(({ unsubscribes }) => unsubscribes)?.href ?? null;
}

export function useUnsubscribes(test: TestReport, bodyLink: string | null) {
  const asks = isListMail(test) || bodyLink !== null;
  return useLoaded<Unsubscribes | null>(`${test.id} ${test.analyzed_at} ${asks}`, async (signal) =>
    asks ? await call("GET /api/tests/:id/unsubscribe", { params: { id: test.id }, signal }) : null,
  );
}

type Loaded = ReturnType<typeof useUnsubscribes>;

/** At the top of the report: this list was unsubscribed before, or still sends. */
export function UnsubscribeNote({ loaded: { value } }: Pick<Loaded, "loaded">) {
  const earlier = value?.earlier ?? null;
  const still = value?.attempts.find(({ proof }) => proof.state === "receiving");
  return (
    <>
      {earlier !== null && (
        <Note tone={earlier.late ? "minor" : "info"}>
          {earlier.says} <a href={`/tests/${earlier.testId}#unsubscribe`}>See that request</a>
        </Note>
      )}
      {still !== undefined && (
        <Note tone="minor">
          {still.proof.says} <a href="#unsubscribe">Details</a>
        </Note>
      )}
    </>
  );
}

type SectionProps = { readonly test: TestReport; readonly unsubscribes: Loaded; readonly bodyLink: string | null };

export function UnsubscribeSection({ test, unsubscribes: { loaded, reload, put }, bodyLink }: SectionProps) {
  const [asking, setAsking] = useState<"unsubscribe" | "visit" | null>(null);
  const { value } = loaded;
  const ways = value === null ? [] : toWays(test, value);
  const links = value === null ? [] : toLinks(test, value, bodyLink);
  const possible = ways.length > 0;
  const attempts = value?.attempts ?? [];
  return (
    <section class="sec" id="unsubscribe" aria-labelledby="unsubscribe-h">
      <div class="sec-h">
        <h2 id="unsubscribe-h">Unsubscribe</h2>
        <p>{toIntro(isListMail(test) || bodyLink !== null, value === null || ways.length + links.length > 0)}</p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load this section." message={loaded.trouble.message} onRetry={reload} />
      )}
      {value === null && loaded.state === "loading" && <Skeleton lines={2} what="earlier requests" />}
      {value !== null && !possible && <WhyNot ways={value.ways} />}
      {attempts.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
      {value?.visits.map((visit) => (
        <Visit key={visit.id} visit={visit} />
      ))}
      <p class="row mt-4 noprint">
        {possible && (
          <button class="btn" type="button" onClick={() => setAsking("unsubscribe")}>
            {attempts.length > 0 ? "Unsubscribe again…" : "Unsubscribe…"}
          </button>
        )}
        {links.length > 0 && (
          <button class="btn" type="button" onClick={() => setAsking("visit")}>
            Open as a scanner…
          </button>
        )}
      </p>
      {asking !== null && (
        <AskDialog
          {...dialogs[asking]}
          recipient={value?.recipient ?? "the address"}
          choices={asking === "visit" ? links : ways}
          onDone={put}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

function toIntro(isAsked: boolean, isPossible: boolean): string {
  if (!isAsked) return "The message has no unsubscribe header or link, so there is nothing to try.";
  return isPossible
    ? "Check that unsubscribing works: Assay sends the request as a mailbox provider would, or opens the link as a mail scanner would. Nothing is sent until you confirm."
    : "Assay can’t try unsubscribing from this message.";
}

function WhyNot({ ways }: Pick<Unsubscribes, "ways">) {
  const reasons = [...new Set(ways.flatMap(({ why }) => why ?? []))];
  return (
    <>
      {reasons.map((why) => (
        <Note key={why} tone="unknown">
          {why}
        </Note>
      ))}
    </>
  );
}

const looks = {
  accepted: { tone: "good", title: "Request accepted" },
  rejected: { tone: "major", title: "Request not accepted" },
  unclear: { tone: "minor", title: "Not clear whether it worked" },
  unreachable: { tone: "major", title: "No response" },
  refused: { tone: "unknown", title: "Not sent" },
  pending: { tone: "unknown", title: "In progress" },
  unknown: { tone: "unknown", title: "Outcome unknown" },
} as const;

function Attempt({ attempt }: { readonly attempt: UnsubscribeAttempt }) {
  const { result, says, method, target, createdAt, requirements, proof, durationMs, bodyBytes, reply } = attempt;
  const { tone, title } = looks[result];
  const facts = [
    durationMs === null || requirements.length > 1 ? null : toDuration(durationMs),
    bodyBytes === null ? null : `response of ${toSize(bodyBytes)}`,
    reply === null ? null : `reply: ${reply}`,
  ].filter((fact) => fact !== null);
  return (
    <div class={`card p-34 mt-4 stack-2 ${tone}`}>
      <Heading tone={tone} title={title}>
        <Moment time={createdAt} /> · {method === "one-click" ? "one-click POST" : "message"} to <code>{target}</code>
      </Heading>
      <p>{says}</p>
      {requirements.length > 0 && (
        <ul class="rules">
          {requirements.map((row) => {
            const mark = row.met === null ? "unknown" : row.met ? "good" : "major";
            return (
              <li key={row.id} class={mark}>
                <span class="tone">
                  <Icon name={mark} />
                </span>
                <span>
                  <span class="vh">{row.met === null ? "Not known: " : row.met ? "Met: " : "Not met: "}</span>
                  {row.says}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {facts.length > 0 && <p class="small muted">{facts.join(" · ")}</p>}
      {proof.state === "receiving" ? (
        <Note tone="minor">
          <SinceThen proof={proof} />
        </Note>
      ) : (
        <p>
          <SinceThen proof={proof} />
        </p>
      )}
    </div>
  );
}

const visitLooks = {
  ...looks,
  page: { tone: "good", title: "Opening the link only showed a page" },
  unsubscribed: { tone: "major", title: "Opening the link seems to unsubscribe" },
  unclear: { tone: "unknown", title: "Can’t tell what opening the link did" },
  unreachable: { tone: "unknown", title: "No response" },
  refused: { tone: "unknown", title: "Not opened" },
} as const;

function Visit({ visit }: { readonly visit: UnsubscribeVisit }) {
  const { result, says, link, target, createdAt, location, shows } = visit;
  const { tone, title } = visitLooks[result];
  return (
    <div class={`card p-34 mt-4 stack-2 ${tone}`}>
      <Heading tone={tone} title={title}>
        <Moment time={createdAt} /> · {linkTitles[link]}: <code>{target}</code>
      </Heading>
      <p>{says}</p>
      {location !== null && (
        <p class="small muted">
          Redirected to <code>{location}</code>
        </p>
      )}
      {shows !== null && <p class="small muted">The page shows: “{shows}”</p>}
    </div>
  );
}

type HeadingProps = {
  readonly tone: (typeof looks)[keyof typeof looks]["tone"];
  readonly title: string;
  readonly children: ComponentChildren;
};

function Heading({ tone, title, children }: HeadingProps) {
  return (
    <p class="row">
      <span class="tone">
        <Icon name={tone} />
      </span>
      <strong>{title}</strong>
      <span class="muted small">{children}</span>
    </p>
  );
}

function SinceThen({ proof }: Pick<UnsubscribeAttempt, "proof">) {
  return (
    <>
      <strong>Since then:</strong> {proof.says}{" "}
      {[...proof.after, ...proof.within, ...proof.otherLists].slice(0, 5).map(({ testId, receivedAt }) => (
        <a key={testId} class="nowrap" href={`/tests/${testId}`}>
          <Moment time={receivedAt} />{" "}
        </a>
      ))}
    </>
  );
}

type Choice = {
  readonly id: string;
  readonly title: string;
  readonly says: ComponentChildren;
  readonly send: () => Promise<Unsubscribes>;
};

function toWays(test: TestReport, { ways, attempts }: Unsubscribes): Choice[] {
  const toChoice = ({ method, target, signedBy }: Unsubscribes["ways"][number]): Choice => ({
    id: method,
    title: method === "one-click" ? "One-click request" : "Message",
    says: (
      <>
        {method === "mailto" ? "A message from this address goes to " : "A POST request (RFC 8058) goes to "}
        <code>{target}</code>. The header is signed by {signedBy}.
      </>
    ),
    send: () => {
      const body = { method, again: attempts.length > 0 };
      return call("POST /api/tests/:id/unsubscribe", { params: { id: test.id }, body });
    },
  });
  return ways.filter(({ possible }) => possible).map(toChoice);
}

const linkTitles = { header: "Address in List-Unsubscribe", body: "Link in the message" } as const;

function toLinks(test: TestReport, value: Unsubscribes, bodyLink: string | null): Choice[] {
  const targets = { header: value.visitableHeader, body: bodyLink };
  return (["header", "body"] as const)
    .filter((link) => targets[link] !== null)
    .map((link) => ({
      id: link,
      title: linkTitles[link],
      says: (
        <>
          A GET request goes to <code>{targets[link]}</code>. Redirects are followed, and scripts are not run.
        </>
      ),
      send: () => call("POST /api/tests/:id/unsubscribe/visit", { params: { id: test.id }, body: { link } }),
    }));
}

const dialogs = {
  unsubscribe: {
    title: "Unsubscribe this address?",
    warning: "This really unsubscribes",
    more: "The list may stop sending test mail to this address, and Assay can’t subscribe it again.",
    verb: "Unsubscribe",
  },
  visit: {
    title: "Open the unsubscribe link?",
    warning: "If the link is wrong, this unsubscribes",
    more: "Mail scanners open the links of a message, often before its recipient does. Open only links of your own mail, because Assay doesn’t check who wrote them.",
    verb: "Open link",
  },
} as const;

type AskProps = (typeof dialogs)["unsubscribe" | "visit"] & {
  readonly recipient: string;
  readonly choices: readonly Choice[];
  readonly onDone: (value: Unsubscribes) => void;
  readonly onClose: () => void;
};

function AskDialog({ title, warning, more, verb, recipient, choices, onDone, onClose }: AskProps) {
  const [id, setId] = useState(choices[0]?.id);
  const { isBusy, trouble, run } = useDoing();
  const chosen = choices.find((choice) => choice.id === id);
  const send = async () => {
    if (chosen && (await run(async () => onDone(await chosen.send())))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Note tone="minor">
        {warning} <strong>{recipient}</strong>. {more}
      </Note>
      {choices.length > 1 && (
        <fieldset class="stack-2">
          <legend class="vh">What to do</legend>
          {choices.map((choice) => (
            <RadioOption
              key={choice.id}
              name="method"
              title={choice.title}
              isChosen={choice === chosen}
              onChoose={() => setId(choice.id)}
            />
          ))}
        </fieldset>
      )}
      <p>{chosen?.says}</p>
      {trouble !== null && <ErrorNote title="The request failed." message={trouble.message} />}
      <div class="acts">
        <button class="btn" type="button" autofocus onClick={onClose}>
          Cancel
        </button>
        <button class="btn danger" type="button" disabled={isBusy} onClick={() => void send()}>
          {isBusy ? "Sending…" : verb}
        </button>
      </div>
    </Dialog>
  );
}
