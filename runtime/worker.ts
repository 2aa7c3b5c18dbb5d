import './kernel/worker/own-env.ts'
import { routeModule } from './handlers.gen.ts'
import { createApp } from './workers/app/app.ts'
import { type Message, runJobs } from './queue/consumer.ts'

const worker = {
  ...createApp(routeModule),
  /** Every release has this handler, so that the app can be rolled back to any release while the capability `queue` is on. */
  queue: ({ messages }: { messages: readonly Message[] }) => runJobs(messages),
}

export default worker
/**
 * The entrypoint that receives queue messages in the app's tests: the default entrypoint also serves static files there, so it handles only
 * HTTP requests.
 */
export { worker as Jobs }
export { AppFlow } from './flow/run.ts'
export { Handlers } from './workers/app/handlers.ts'
