import type { IncomingMail } from '../email/receive.ts'
import type { Objects } from '../kernel/objects/objects.ts'

export { AppObject } from './live/object.ts'
export { AppFlow } from '../flow/paused.ts'
export { Operator } from './live/operator.ts'
export { Preview, Production } from './live/tiers.ts'

export default {
  fetch: () => new Response('This worker has no address.', { status: 404 }),
  /** Receives mail. Runs no code of the app, so that mail is accepted even while a new release is being deployed. */
  async email(mail: IncomingMail, env: { OBJECTS: Objects }): Promise<void> {
    const { receiveMail } = await import('../email/receive.ts')
    await receiveMail(mail, env)
  },
}
