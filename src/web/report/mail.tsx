// The message as recipients see it, in a sandboxed frame from its own URL, with the issues pinned where they are.
// Nothing remote loads before a warning.

import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { headerPlaceOf } from "../../analyzer/checks/places-table.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { faultsOf } from "../../features/tests/rules/issues.ts";
import { addressOf } from "../client/call.ts";
import type { QueryOf } from "../client/endpoints.ts";
import { toPlural } from "../client/words.ts";
import { Choice } from "../parts/form.tsx";
import { Note } from "../parts/states.tsx";
import { toneWords } from "../parts/tone.tsx";
import type { Eml } from "./content.tsx";
import { toAnchor } from "./findings.ts";
import { toSenderName } from "./inbox-words.ts";
import { PinContext } from "./pins.ts";
import { previewModes } from "./preview-modes.ts";
import type { ShownTest } from "./shown-test.ts";

const widths = [
  { value: "phone", label: "Phone" },
  { value: "desktop", label: "Desktop" },
] as const;

const looks = [
  { value: "light", label: "As sent", says: "" },
  ...previewModes,
  {
    value: "bare",
    label: "Images off",
    says: "How the message looks in email clients that block images. The alt text must get the point across.",
  },
  { value: "text", label: "Text", says: "The plain-text part." },
] as const;

type Look = (typeof looks)[number]["value"];

export function MailPane({ test, eml }: { readonly test: TestReport; readonly eml: Eml | null }) {
  const hasPage = eml?.body.html_safe !== null;
  const [width, setWidth] = useState<"phone" | "desktop">("phone");
  const [chosen, setLook] = useState<Look>("light");
  const [withImages, setImages] = useState(false);
  const [spots, setSpots] = useState<readonly Spot[]>([]);
  const look = hasPage ? chosen : "text";
  return (
    <figure class={`mail as-${look}`} aria-label="The message">
      <Envelope
        test={test}
        preheader={eml?.preview ?? null}
        placed={look === "text" ? [] : spots.map(({ finding }) => finding)}
      />
      {look === "text" ? (
        <pre class="in-text">{eml === null ? "" : (eml.body.text ?? "No plain-text part.")}</pre>
      ) : (
        <Frame
          key={`${withImages} ${look}`}
          test={test}
          isWide={width === "desktop"}
          query={toQuery(look, withImages)}
          spots={spots}
          onSpots={setSpots}
        />
      )}
      <figcaption class="noprint">
        {hasPage ? (
          <p class="row">
            <Choice legend="Width" options={widths} value={width} onChoose={setWidth} />
            <label>
              <span class="vh">Show as</span>
              <select
                class="input"
                value={look}
                onChange={({ currentTarget: { value } }) =>
                  setLook(looks.find((one) => one.value === value)?.value ?? "light")
                }
              >
                {looks.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </p>
        ) : (
          <p class="small muted">This message has no HTML.</p>
        )}
        {hasPage && <p class="small muted">{looks.find(({ value }) => value === look)?.says}</p>}
        {look !== "text" && look !== "bare" && (
          <RemoteImages images={eml?.images ?? []} isLoaded={withImages} onLoad={setImages} />
        )}
      </figcaption>
    </figure>
  );
}

type RemoteProps = {
  readonly images: Eml["images"];
  readonly isLoaded: boolean;
  readonly onLoad: (isLoaded: boolean) => void;
};

function RemoteImages({ images, isLoaded, onLoad }: RemoteProps) {
  const [isAsking, setAsking] = useState(false);
  const remote = images.filter(({ kind, tracking }) => kind === "remote" && tracking === null).length;
  if (remote === 0) return null;
  return (
    <>
      <button
        class="btn small"
        type="button"
        aria-expanded={isLoaded ? undefined : isAsking}
        onClick={() => (isLoaded ? onLoad(false) : setAsking(!isAsking))}
      >
        {isLoaded ? "Hide remote images" : `Load ${toPlural(remote, "remote image", "remote images")}`}
      </button>
      {isAsking && !isLoaded && (
        <Note tone="minor">
          Your browser will load the images from the internet. This can tell the sender when you opened the message, and
          from which IP address. Tracking pixels aren’t loaded.{" "}
          <button
            class="btn small"
            type="button"
            onClick={() => {
              setAsking(false);
              onLoad(true);
            }}
          >
            Load images{" "}
          </button>
        </Note>
      )}
    </>
  );
}

function toQuery(look: Look, withImages: boolean): QueryOf<"GET /preview/:id"> {
  if (look === "bare") return { dark: "off", images: "none" };
  const dark = look === "own" || look === "partial" || look === "full" ? look : "off";
  return { dark, ...(withImages && { images: "1" }) };
}

type Spot = { readonly finding: string; readonly left: number; readonly top: number };

type FrameProps = {
  readonly test: TestReport;
  readonly isWide: boolean;
  readonly query: QueryOf<"GET /preview/:id">;
  readonly spots: readonly Spot[];
  readonly onSpots: (spots: readonly Spot[]) => void;
};

const wideWidth = 640;
const mostWidth = 1_400;
const leastHeight = 240;
const mostHeight = 20_000;

/** As high as its content, so that pins scroll with it. A wide message is drawn smaller, as on phones. */
function Frame({ test, isWide, query, spots, onSpots }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    const around = box.current;
    if (element === null || around === null) return;
    const lay = () => onSpots(layOut(element, around.clientWidth, isWide));
    element.addEventListener("load", lay);
    const watcher = new ResizeObserver(lay);
    watcher.observe(around);
    return () => {
      element.removeEventListener("load", lay);
      watcher.disconnect();
    };
  }, [isWide]);
  const shown = useRef(test.analyzed_at);
  useEffect(() => {
    if (shown.current === test.analyzed_at) return;
    shown.current = test.analyzed_at;
    // The report names the places of its pins. Without a step in the browser's history.
    frame.current?.contentWindow?.location.replace(frame.current.src);
  }, [test.analyzed_at]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section class="paper" aria-label="Message preview" tabIndex={0}>
      <div class="paper-in" ref={box}>
        <iframe
          ref={frame}
          sandbox="allow-same-origin"
          referrerpolicy="no-referrer"
          title="Message preview"
          tabIndex={-1}
          src={addressOf("/preview/:id", { params: { id: test.id }, query: { ...query, pins: "1" } })}
        />
        <PinList test={test} spots={spots} />
      </div>
    </section>
  );
}

/** Fits the message into the room, and returns where its pins are. */
function layOut(frame: HTMLIFrameElement, room: number, isWide: boolean): readonly Spot[] {
  const content = frame.contentDocument?.documentElement;
  if (!content) return [];
  const least = isWide ? wideWidth : room;
  frame.style.height = `${leastHeight}px`;
  frame.style.width = `${least}px`;
  const width = Math.min(Math.max(least, widthOf(content)), mostWidth);
  const scale = Math.min(1, room / width);
  frame.style.width = `${width}px`;
  frame.style.transform = `scale(${scale})`;
  const height = Math.min(Math.max(content.scrollHeight, leastHeight), mostHeight);
  frame.style.height = `${height}px`;
  frame.style.marginBottom = `${Math.round(height * (scale - 1))}px`;
  return findSpots(content, width, scale);
}

/** The body scrolls, not the page around it. */
function widthOf(content: Element): number {
  return Math.max(0, ...[...content.querySelectorAll("body > *")].map(({ scrollWidth }) => scrollWidth));
}

/** Where the elements are that findings are about. Their document runs no script, and only places are read from it. */
function findSpots(content: Element, width: number, scale: number): readonly Spot[] {
  const spots = new Map<string, Spot>();
  for (const element of content.querySelectorAll("[data-pin]")) {
    const { left, right, top, height } = element.getBoundingClientRect();
    for (const finding of (element.getAttribute("data-pin") ?? "").split(" ")) {
      if (spots.has(finding)) continue;
      const x = Math.min(Math.max(right, left), width - pinSize / 2);
      spots.set(finding, { finding, left: x * scale, top: (top + height / 2) * scale });
    }
  }
  return spread([...spots.values()]);
}

const pinSize = 26;

/** Pins on one place lie side by side. */
function spread(spots: readonly Spot[]): readonly Spot[] {
  const placed: Spot[] = [];
  for (const spot of spots) {
    let { left } = spot;
    const isTaken = () =>
      placed.some((one) => Math.abs(one.left - left) < pinSize && Math.abs(one.top - spot.top) < pinSize);
    while (isTaken() && left > pinSize) left -= pinSize;
    placed.push({ ...spot, left });
  }
  return placed;
}

function PinList({ test, spots }: { readonly test: TestReport; readonly spots: readonly Spot[] }) {
  const { numbers } = useContext(PinContext);
  const pinned = faultsOf(test).flatMap((fault) => {
    const spot = spots.find(({ finding }) => finding === fault.id);
    return spot ? [{ fault, spot }] : [];
  });
  if (pinned.length === 0) return null;
  return (
    <ol class="pins" aria-label="Places of issues">
      {pinned.map(({ fault, spot }) => (
        <li key={fault.id} ref={(item) => void (item && placeAt(item, spot))} value={numbers.get(fault.id)}>
          <Pin {...fault} />
        </li>
      ))}
    </ol>
  );
}

function placeAt(item: HTMLElement, { left, top }: Spot): void {
  item.style.left = `${left}px`;
  item.style.top = `${top}px`;
}

type PinProps = Pick<ReturnType<typeof faultsOf>[number], "id" | "severity" | "title">;

/** Leads to the card of its issue. */
function Pin({ id, severity, title }: PinProps) {
  const { numbers, active, point } = useContext(PinContext);
  return (
    <a
      class={`pin ${severity}${active === id ? " on" : ""}`}
      href={`#${toAnchor(id)}`}
      title={title}
      ref={(pin) => pin?.style.setProperty("animation-delay", `${300 + 30 * (numbers.get(id) ?? 0)}ms`)}
      onMouseEnter={() => point(id)}
      onMouseLeave={() => point(null)}
      onFocus={() => point(id)}
      onBlur={() => point(null)}
    >
      <b>{numbers.get(id)}</b>
      <span class="vh">
        {toneWords[severity]}: {title}
      </span>
    </a>
  );
}

type EnvelopeProps = {
  readonly test: ShownTest;
  readonly preheader: string | null;
  /** The issues that are pinned on the body. */
  readonly placed: readonly string[];
};

/** What is seen before a message is opened. Issues that the body doesn’t show are pinned here. */
export function Envelope({ test, preheader, placed }: EnvelopeProps) {
  const from = test.from?.trim() ?? "";
  const name = toSenderName(from) || "No sender";
  const [address = ""] = from.slice(from.lastIndexOf("<") + 1).split(">");
  const at = Map.groupBy(
    faultsOf(test).filter(({ id }) => !placed.includes(id)),
    (fault) => headerPlaceOf(fault),
  );
  return (
    <div class="envelope">
      <p>
        <b>
          <bdi>{name}</bdi>
        </b>{" "}
        {address !== name && (
          <span class="small muted">
            <bdi>{address}</bdi>
          </span>
        )}
        <HeaderPins faults={[...(at.get("from") ?? []), ...(at.get("authentication") ?? [])]} />
      </p>
      <p dir="auto">
        {test.subject?.trim() || "No subject"}
        <HeaderPins faults={at.get("subject")} />
      </p>
      {preheader !== null && (
        <p class="small muted" dir="auto">
          {preheader}
          <HeaderPins faults={at.get("preheader")} />
        </p>
      )}
      <HeaderPins faults={[...(at.get("attachments") ?? []), ...(at.get(null) ?? [])]} />
    </div>
  );
}

function HeaderPins({ faults = [] }: { readonly faults?: ReturnType<typeof faultsOf> | undefined }) {
  return (
    faults.length > 0 && (
      <span class="header-pins">
        {faults.map((fault) => (
          <Pin key={fault.id} {...fault} />
        ))}
      </span>
    )
  );
}
