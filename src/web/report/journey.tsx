// The path of the message, drawn to scale: hops claimed by the headers, and the SMTP session that Assay measured.

import { doors } from "../../analyzer/mail/session/doors.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { DeliveryTimeline } from "../../features/tests/contract/timeline.ts";
import { toCount, toDuration, toMoment, toSize } from "../client/words.ts";
import { FoldedSection } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/states.tsx";
import { NamedRows } from "../parts/table.tsx";
import { slowMs, toJourneyTitle } from "./journey-words.ts";
import { Transcript } from "./transcript.tsx";

type Bar = {
  readonly name: string;
  readonly detail: string;
  readonly startMs: number;
  readonly lengthMs: number | null;
  readonly kind: "seen" | "claim" | "slow";
};

export function JourneySection({ test }: { readonly test: TestReport }) {
  const timeline = test.delivery_timeline;
  if (timeline === null) return null;
  const hops = toHopBars(timeline);
  const session = toSessionBars(timeline, test.transport);
  return (
    <FoldedSection
      id="journey"
      title={toJourneyTitle(timeline)}
      lead={
        timeline.hops.some(({ trusted }) => trusted)
          ? "Drawn to scale. Assay measured only the last hop. Earlier hops come from the headers."
          : timeline.hops.length === 0
            ? "The message has no Received headers."
            : "Drawn to scale. All hops come from the headers."
      }
      parts="hop-"
    >
      {() => (
        <div class="stack">
          {timeline.hops.length > 0 && <Hops timeline={timeline} bars={hops} />}
          {session.length > 0 ? (
            <div class="card">
              <h3>SMTP session with the sending server: {toDuration(totalOf(session))}</h3>
              <Chart bars={session} label="Steps of the SMTP session" />
              <Facts test={test} />
              <Transcript transport={test.transport} />
            </div>
          ) : (
            <DoorNote transport={test.transport} />
          )}
        </div>
      )}
    </FoldedSection>
  );
}

/** What the door of the message can't know. */
function DoorNote({ transport: { door, transcript, ...transport } }: Pick<TestReport, "transport">) {
  const { transcript: title } = doors[door.kind];
  return (
    <div class="card stack">
      <h3>{door.says}</h3>
      <Note tone="unknown">
        Assay did not see the sender’s SMTP session. Checks that need it were skipped and don’t affect the score.
      </Note>
      {door.record_says !== null && <p>{door.record_says}.</p>}
      <NoRecord door={door} />
      {door.verdicts_say !== null && <p>{door.verdicts_say}.</p>}
      <p>Not known: {door.unknown.map(({ says }) => says).join("; ")}.</p>
      {title !== null && transcript.length > 0 && (
        <>
          <p>{title}:</p>
          <Transcript transport={{ ...transport, door, transcript }} />
        </>
      )}
    </div>
  );
}

/** Why the sending server isn't known, although a server could have recorded it. */
function NoRecord({ door }: Pick<TestReport["transport"], "door">) {
  const { recorder } = doors[door.kind];
  if (door.record_says !== null || recorder === null) return null;
  return (
    <p>
      The sending server isn’t known, because the newest <code>Received</code> header wasn’t written under a name that
      Assay expects of {recorder.of}. <a href={`/docs/${recorder.page}`}>Names that Assay expects</a>
    </p>
  );
}

function Hops({ timeline, bars }: { readonly timeline: DeliveryTimeline; readonly bars: readonly Bar[] }) {
  return (
    <div class="card">
      <h3>
        {timeline.total_ms === null
          ? "Hops"
          : `From the earliest time in its headers to its arrival: ${toDuration(timeline.total_ms)}`}
      </h3>
      {bars.length > 0 && (
        <>
          <p class="key">
            <Key fill="url(#h-claim)" label="From headers (can be forged)" />
            <Key className="f-promo" label={`Longer than ${toDuration(slowMs)}`} />
          </p>
          <Chart bars={bars} label="Hops" />
        </>
      )}
      <ol class="hops">
        {timeline.hops.map((hop, index) => (
          <li key={`${hop.by}-${index}`} id={`hop-${index + 1}`}>
            <span>
              <strong>{hop.from ?? "unknown"}</strong>
              {hop.ip !== null && <span class="muted"> [{hop.ip}]</span>} to <strong>{hop.by ?? "unknown"}</strong>
            </span>
            <span class="small muted">
              {[
                hop.at === null ? "time unknown" : toMoment(hop.at),
                hop.with,
                toTlsWords(hop.tls),
                hop.trusted ? "measured" : "claimed",
              ]
                .filter((one) => one !== null && one !== "")
                .join(" · ")}
            </span>
            {hop.warnings.map((warning) => (
              <span key={warning} class="small tone minor">
                <Icon name="minor" /> {warning}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Key({
  fill,
  className,
  label,
}: {
  readonly fill?: string;
  readonly className?: string;
  readonly label: string;
}) {
  return (
    <span>
      <svg aria-hidden="true">
        <rect width="14" height="12" fill={fill} class={className} stroke="var(--ink-3)" />
      </svg>
      {label}
    </span>
  );
}

function toTlsWords(tls: DeliveryTimeline["hops"][number]["tls"]): string {
  if (tls === null) return "";
  return tls.used ? `encrypted${tls.version === null ? "" : `, ${tls.version}`}` : "not encrypted";
}

/** Each bar starts where the previous one ends. Hops of unknown duration are left out. */
function toHopBars({ hops }: DeliveryTimeline): Bar[] {
  let at = 0;
  return hops.flatMap(({ from, by, delay_ms, tls, trusted }): Bar[] => {
    if (delay_ms === null || delay_ms < 0) return [];
    const startMs = at;
    at += delay_ms;
    const kind = delay_ms > slowMs ? "slow" : trusted ? "seen" : "claim";
    return [
      {
        name: `${from ?? "Unknown"} to ${by ?? "unknown"}`,
        detail: toTlsWords(tls),
        startMs,
        lengthMs: delay_ms,
        kind,
      },
    ];
  });
}

const stepNames: Readonly<Record<string, string>> = {
  connect: "Connection",
  helo: "HELO",
  starttls: "STARTTLS",
  mail: "Sender",
  rcpt: "Recipient",
  data: "Message data",
  other: "Other commands",
  end: "End",
};

function toSessionBars({ smtp }: DeliveryTimeline, transport: TestReport["transport"]): Bar[] {
  const [first] = smtp;
  if (!first || transport.source === "claimed") return [];
  const begin = Date.parse(first.at);
  return smtp.map(({ step, at, duration_ms, count, reply }) => ({
    name: `${stepNames[step] ?? step}${count > 1 ? ` × ${toCount(count)}` : ""}`,
    detail: step === "starttls" && transport.tls ? transport.tls.version : (reply?.slice(0, 60) ?? ""),
    startMs: Math.max(0, Date.parse(at) - begin),
    lengthMs: duration_ms,
    kind: (duration_ms ?? 0) > slowMs ? "slow" : "seen",
  }));
}

function totalOf(bars: readonly Bar[]): number {
  return Math.max(...bars.map(({ startMs, lengthMs }) => startMs + (lengthMs ?? 0)), 0);
}

function Chart({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const total = Math.max(totalOf(bars), 1);
  const marks = [0, 0.25, 0.5, 0.75, 1];
  const widthOf = ({ lengthMs }: Bar) => `${Math.max(((lengthMs ?? 0) / total) * 100, 0.4)}%`;
  return (
    <section class="time" aria-label={label}>
      {bars.map((bar, index) => (
        <div class="r" key={`${bar.name}-${index}`}>
          <span class="nm">
            {bar.name}
            <small>{bar.detail}</small>
          </span>
          <svg aria-hidden="true">
            {marks.map((mark) => (
              <line key={mark} class="grid-l" x1={`${mark * 100}%`} x2={`${mark * 100}%`} y1="-14" y2="36" />
            ))}
            <rect
              class={bar.kind}
              x={`${Math.min((bar.startMs / total) * 100, 99.6)}%`}
              y="3"
              width={widthOf(bar)}
              height="15"
              rx="1.5"
            />
          </svg>
          <span>{bar.lengthMs === null ? "–" : toDuration(bar.lengthMs)}</span>
        </div>
      ))}
      <div class="r axis">
        <span />
        <svg aria-hidden="true" height="22">
          {marks.map((mark) => (
            <text
              key={mark}
              x={`${mark * 100}%`}
              y="15"
              text-anchor={mark === 0 ? "start" : mark === 1 ? "end" : "middle"}
            >
              {toDuration(total * mark)}
            </text>
          ))}
        </svg>
        <span />
      </div>
    </section>
  );
}

function Facts({ test: { transport, size_bytes } }: { readonly test: TestReport }) {
  const { client_address, client_port, helo, tls, mail_from, rcpt_to } = transport;
  const facts = [
    [
      "Sending server",
      client_address === null ? null : `${client_address}${client_port === null ? "" : `, port ${client_port}`}`,
    ],
    ["HELO name", helo],
    ["Envelope sender", mail_from === "" ? "<> (none)" : mail_from],
    ["Recipients", rcpt_to.join(", ")],
    ["TLS", tls === null ? "none" : `${tls.version}, ${tls.cipher}`],
    ["Size", toSize(size_bytes)],
  ].filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== "");
  return <NamedRows rows={facts} look="rec mt-3 mb-3" />;
}
