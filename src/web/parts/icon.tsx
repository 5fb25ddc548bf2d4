export type IconName =
  | "bell"
  | "chev"
  | "copy"
  | "critical"
  | "down"
  | "eye"
  | "flat"
  | "flask"
  | "globe"
  | "good"
  | "inbox"
  | "info"
  | "lock"
  | "logo"
  | "major"
  | "menu"
  | "minor"
  | "promotions"
  | "rejected"
  | "rule"
  | "search"
  | "send"
  | "spam"
  | "unknown"
  | "up"
  | "upload";

/** Hidden from screen readers: the word beside it has the meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
