import './kernel/own-env.ts'
import { routeModule } from './handlers.gen.ts'
import { createApp } from './kernel/app.ts'
import { type Message, takeJobs } from './queue/consumer.ts'

const worker = {
  ...createApp(routeModule),
  /** Part of every release, so that the app can return to a release whatever is switched on meanwhile. */
  queue: ({ messages }: { messages: readonly Message[] }) => takeJobs(messages),
}

export default worker
/** For the app's tests: a worker with files in front takes only requests, so the queue needs its own entrypoint. */
export { worker as Jobs }
export { AppFlow } from './flow/run.ts'
export { Handlers } from './kernel/handlers.ts'
