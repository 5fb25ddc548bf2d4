// Loading, empty and error states.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LoadState } from "../client/loading.ts";
import { useTitle } from "../client/router.tsx";
import { Icon, type IconName } from "./icon.tsx";

type ErrorNoteProps = {
  /** What failed. */
  readonly title: string;
  readonly message: string;
  readonly onRetry?: () => void;
};

export function ErrorNote({ title, message, onRetry }: ErrorNoteProps) {
  return (
    <div class="note critical" role="alert">
      <Icon name="critical" />
      <span>
        <strong>{title}</strong> {message}
      </span>
      {onRetry && (
        <button class="btn small" type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Note({
  tone = "info",
  children,
}: {
  readonly tone?: "info" | "unknown" | "minor";
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`note ${tone}`}>
      <Icon name={tone} />
      <span>{children}</span>
    </div>
  );
}

type EmptyStateProps = {
  readonly icon: IconName;
  readonly title: string;
  /** It is the only content of the page. */
  readonly isPage?: boolean;
  readonly children: ComponentChildren;
};

export function EmptyState({ icon, title, isPage = false, children }: EmptyStateProps) {
  return (
    <div class="empty-s">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function NoSuchPage() {
  useTitle("Page not found");
  return (
    <EmptyState icon="search" title="Page not found" isPage>
      <p>There is nothing at this address. Check its spelling.</p>
      <div class="row">
        <a class="btn" href="/tests">
          See all tests
        </a>
        <a class="btn" href="/docs">
          Open the handbook
        </a>
      </div>
    </EmptyState>
  );
}

/** Shows nothing at first, then bars at the final height, then after a second what is loading. */
export function Skeleton({ lines, what }: { readonly lines: number; readonly what: string }) {
  const [stage, setStage] = useState<"nothing" | "bars" | "words">("nothing");
  useEffect(() => {
    const bars = setTimeout(() => setStage("bars"), 200);
    const words = setTimeout(() => setStage("words"), 1_000);
    return () => {
      clearTimeout(bars);
      clearTimeout(words);
    };
  }, []);
  return (
    <div class="stack" role="status" aria-busy="true">
      <p class={stage === "words" ? "muted small" : "vh"}>Loading {what}…</p>
      {stage !== "nothing" &&
        Array.from({ length: lines }, (_, index) => (
          <p key={index}>
            <span class={`skel ${index % 3 === 2 ? "w-55" : "w-80"}`} />
          </p>
        ))}
    </div>
  );
}

type LoadNoteProps = {
  readonly loaded: LoadState<unknown>;
  readonly onRetry: () => void;
  readonly lines: number;
  readonly what: string;
  /** The title of the error. */
  readonly failed?: string;
};

/** In place of what is still loading, and above the old data if a reload failed. */
export function LoadNote({ loaded, onRetry, lines, what, failed = `Couldn’t load ${what}.` }: LoadNoteProps) {
  if (loaded.state === "failed") return <ErrorNote title={failed} message={loaded.trouble.message} onRetry={onRetry} />;
  return loaded.state === "loading" && loaded.value === null ? <Skeleton lines={lines} what={what} /> : null;
}

// Toasts confirm what was done. Errors never appear here, but where they happened.

/** `run` shows its own outcome. */
type Toast = {
  readonly words: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

let show: (toast: Toast | null) => void = () => {};
/** As long as a deletion can be undone. */
const staysMs = 10_000;

export function sayDone(words: string, action?: Toast["action"]): void {
  show({ words, action });
}

export function Toasts() {
  const [toast, setToast] = useState<Toast | null>(null);
  useEffect(() => {
    show = setToast;
  }, []);
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => setToast(null), staysMs);
    return () => clearTimeout(timer);
  }, [toast]);
  const close = () => setToast(null);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast !== null && (
        <div class="toast good">
          <span class="tone">
            <Icon name="good" />
          </span>
          <span>{toast.words}</span>
          {toast.action && (
            <button
              class="btn small"
              type="button"
              onClick={() => {
                close();
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button class="btn small quiet" type="button" onClick={close}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
