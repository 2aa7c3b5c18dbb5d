import { WorkflowEntrypoint, type WorkflowStep } from 'cloudflare:workers'

const DAY_SECONDS = 86_400

/**
 * Holds the runs of an app that is not served. Each sleeps, longer each time, until the workflow belongs to the app again; its
 * next wake-up then runs the flow there.
 */
export class AppFlow extends WorkflowEntrypoint {
  async run(_event: unknown, step: WorkflowStep): Promise<void> {
    for (let n = 0; ; n++) await step.sleep('the app does not serve', Math.min(2 ** n, DAY_SECONDS) * 1000)
  }
}
