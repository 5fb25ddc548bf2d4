import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isThere = useRef(true);
  useEffect(() => {
    const shown = dialog.current;
    const from = document.activeElement;
    if (shown && !shown.open) shown.showModal();
    return () => {
      isThere.current = false;
      // Who is elsewhere already, as by a key pressed at once behind Escape, stays there.
      const now = document.activeElement;
      const isFree = now === null || now === document.body || (shown?.contains(now) ?? false);
      shown?.close();
      if (isFree && from instanceof HTMLElement) from.focus();
    };
  }, []);
  // Once it is taken away, that it closes is no wish of the reader's.
  const close = () => {
    if (isThere.current) onClose();
  };
  const wasPressedBeside = useRef(false);
  const press = (event: MouseEvent) => {
    wasPressedBeside.current = isBeside(dialog.current, event);
  };
  // Who selects a text and lets go beside the dialog wants to keep it.
  const closeOutside = (event: MouseEvent) => {
    if (wasPressedBeside.current && isBeside(dialog.current, event)) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      onClose={close}
      onMouseDown={press}
      onClick={closeOutside}
    >
      <div class="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Its own edge is no place beside it, although only the dialog is there to be hit. */
function isBeside(dialog: HTMLDialogElement | null, { target, clientX, clientY }: MouseEvent): boolean {
  if (dialog === null || target !== dialog) return false;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

type ConfirmProps = DialogProps & {
  /** A verb. */
  readonly action: string;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
};

/** Names the thing, says what is lost; the focus begins on what loses nothing. */
export function Confirm({ action, isBusy = false, onConfirm, children, ...rest }: ConfirmProps) {
  return (
    <Dialog {...rest}>
      {children}
      <div class="acts">
        <button class="btn" type="button" autofocus onClick={rest.onClose}>
          Cancel
        </button>
        <button class="btn danger" type="button" disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
