import './kernel/own-env.ts'
import { routeModule } from './handlers.gen.ts'
import { createApp } from './kernel/app.ts'
import { type Message, takeJobs } from './queue/consumer.ts'

const worker = {
  ...createApp(routeModule),
  /** Part of every release, so that one can be gone back to whatever is switched on meanwhile. */
  queue: ({ messages }: { messages: readonly Message[] }) => takeJobs(messages),
}

export default worker
/** The same for the app's tests: in front of the other one stand the app's files, which know only requests. */
export { worker as Jobs }
export { AppFlow } from './flow/run.ts'
export { Handlers } from './kernel/handlers.ts'
