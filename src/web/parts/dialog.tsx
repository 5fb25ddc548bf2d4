import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = { readonly title: string; readonly onClose: () => void; readonly children: ComponentChildren };

/** The browser keeps the focus inside the dialog. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isThere = useRef(true);
  useEffect(() => {
    const shown = dialog.current;
    const from = document.activeElement;
    if (shown && !shown.open) shown.showModal();
    // The browser starts on the first radio button of a group, even if another one is chosen.
    const first = document.activeElement;
    if (first instanceof HTMLInputElement && first.type === "radio" && !first.checked)
      first.closest("fieldset")?.querySelector<HTMLInputElement>("input:checked")?.focus();
    return () => {
      isThere.current = false;
      // If the focus has already moved on, for example by a key right after Escape, it stays there.
      const now = document.activeElement;
      const isFree = now === null || now === document.body || (shown?.contains(now) ?? false);
      shown?.close();
      if (isFree && from instanceof HTMLElement) from.focus();
    };
  }, []);
  // If the page removes the dialog, its close event isn't the reader's choice.
  const close = () => {
    if (isThere.current) onClose();
  };
  const wasPressedBeside = useRef(false);
  const press = (event: MouseEvent) => {
    wasPressedBeside.current = isBeside(dialog.current, event);
  };
  // A text selection that ends outside must not close the dialog.
  const closeOutside = (event: MouseEvent) => {
    if (wasPressedBeside.current && isBeside(dialog.current, event)) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape already closes it
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

/** Clicks on the padding hit the dialog too, so coordinates decide. */
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

/** Names the item and says what is lost. The focus starts on Cancel. */
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
