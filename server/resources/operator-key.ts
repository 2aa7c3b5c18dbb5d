import type { Signer } from '../crypto/signer.ts'
import type { Ports } from '../platform.ts'

/** Signs the requests that the service sends to a project's admin and live workers as the operator of the app. */
export const operatorSigner = (platform: Pick<Ports, 'accounts'>, project: { id: string }): Signer =>
  platform.accounts.workerSigner('operator-token', project)
