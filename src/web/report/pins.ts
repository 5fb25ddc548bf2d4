// The numbers of issues: the same on a card and on the place in the message.

import { createContext } from "preact";
import { faultsOf, type Judged } from "../../features/tests/rules/issues.ts";

type Pins = {
  /** By finding. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The finding whose card or pin is pointed at. */
  readonly active: string | null;
  readonly point: (finding: string | null) => void;
};

export const PinContext = createContext<Pins>({ numbers: new Map(), active: null, point: () => {} });

export function toNumbers(test: Judged): Pins["numbers"] {
  return new Map(faultsOf(test).map(({ id }, index) => [id, index + 1]));
}
