// Authentication as a receiver sees it: what the sender claims, which records the receiver looks up, what DNS answers,
// and the result.

import type { TestReport } from "../../features/tests/contract/tests.ts";
import { toConclusion } from "../../features/tests/words/authentication-conclusion-words.ts";
import { type Step, toSteps } from "../../features/tests/words/authentication-words.ts";
import { Badge } from "../parts/tone.tsx";

export function AuthenticationSection({ test }: { readonly test: TestReport }) {
  const { authentication } = test;
  if (authentication === null) return null;
  return (
    <section class="sec" id="authentication" aria-labelledby="authentication-h">
      <div class="sec-h">
        <h2 id="authentication-h">Authentication: {toConclusion(authentication)}</h2>
        <p>What a receiver checks when this message arrives, in this order.</p>
      </div>
      <ol class="talk">
        {toSteps(test, authentication).map((step) => (
          <StepItem key={step.id} step={step} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step }: { readonly step: Step }) {
  return (
    <li class={step.tone}>
      <div class="ask">
        <h3>{step.question}</h3>
        <Badge tone={step.tone}>{step.badge}</Badge>
      </div>
      <dl class="say">
        {step.said !== null && (
          <>
            <dt>Sender says</dt>
            <dd>
              <code class="said">{step.said}</code>
            </dd>
          </>
        )}
        <dt>Receiver looks up</dt>
        <dd>{step.asks}</dd>
        <dt>DNS returns</dt>
        <dd>
          {step.answers.map((answer) => (
            <div key={answer}>
              <code>{answer}</code>
            </div>
          ))}
        </dd>
        <dt>Result</dt>
        <dd class="concl">{step.concludes}</dd>
      </dl>
    </li>
  );
}
