// The files that only `npm run test:all` runs begin first, so that no worker sits over one of them when all others are done.

import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isOnlyInAll } from "./lanes.ts";

export class ExpensiveFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isOnlyInAll(other.moduleId)) - Number(isOnlyInAll(one.moduleId)));
  }
}
