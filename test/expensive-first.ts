// The files that only `npm run test:all` runs begin first, so that no worker sits over one of them when all others are done.

import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { onlyInAll } from "./lanes.ts";

const expensive = Object.values(onlyInAll).flat();

export class ExpensiveFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isExpensive = ({ moduleId }: TestSpecification) =>
      expensive.some((glob) => matchesGlob(relative(this.ctx.config.root, moduleId), glob));
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isExpensive(other)) - Number(isExpensive(one)));
  }
}
