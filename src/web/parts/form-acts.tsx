type FormActsProps = {
  /** A verb and its object. */
  readonly action: string;
  /** What it says while that is under way. */
  readonly busyAction?: string;
  readonly isBusy: boolean;
  /** There is nothing to send yet. */
  readonly isWaiting?: boolean;
  /** Something is lost by it. */
  readonly isGrave?: boolean;
  /** Left out where there is nothing to go back to. */
  readonly onCancel?: (() => void) | undefined;
};

/** The end of a form: back without it, or do it. */
export function FormActs({
  action,
  busyAction = action,
  isBusy,
  isWaiting = false,
  isGrave = false,
  onCancel,
}: FormActsProps) {
  return (
    <div class="acts">
      {onCancel && (
        <button class="btn" type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <button class={`btn ${isGrave ? "danger" : "primary"}`} type="submit" disabled={isBusy || isWaiting}>
        {isBusy ? busyAction : action}
      </button>
    </div>
  );
}
