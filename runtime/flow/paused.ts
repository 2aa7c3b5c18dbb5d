import { WorkflowEntrypoint, type WorkflowStep } from 'cloudflare:workers'
import { DAY_SECONDS } from '../kernel/durations.ts'

/**
 * Replaces the flow class while the app is not deployed. Each run sleeps, longer each time, until the app is deployed again. Its next
 * wake-up then continues the flow in the app.
 */
export class AppFlow extends WorkflowEntrypoint {
  async run(_event: unknown, step: WorkflowStep): Promise<void> {
    for (let n = 0; ; n++) await step.sleep('the app does not serve', Math.min(2 ** n, DAY_SECONDS) * 1000)
  }
}
