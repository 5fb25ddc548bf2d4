import type { ComponentChildren } from "preact";
import { useDoing } from "../client/use-action.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";

type ConfirmDoingProps = {
  readonly title: string;
  /** A verb. */
  readonly action: string;
  readonly act: () => Promise<unknown>;
  /** Said once it is done. */
  readonly done: string;
  /** What did not happen, where it was refused. */
  readonly failed: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What is lost. */
  readonly children: ComponentChildren;
};

/** Asks, does, and says so; what refuses it stands in the dialog. */
export function ConfirmDoing({ act, done, failed, onDone, children, ...rest }: ConfirmDoingProps) {
  const { isBusy, trouble, run } = useDoing();
  const confirm = async () => {
    if (!(await run(act))) return;
    rest.onClose();
    onDone();
    sayDone(done);
  };
  return (
    <Confirm {...rest} isBusy={isBusy} onConfirm={() => void confirm()}>
      {children}
      {trouble && <ErrorNote title={failed} message={trouble.message} />}
    </Confirm>
  );
}
