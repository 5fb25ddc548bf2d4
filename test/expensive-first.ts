// The expensive files begin first, so that no worker sits over one of them when all others are done.

import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isExpensive } from "./lanes.ts";

export class ExpensiveFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isExpensive(other.moduleId)) - Number(isExpensive(one.moduleId)));
  }
}
