import { signerOf, type Signer } from '../crypto/signer.ts'
import type { Ports } from '../platform.ts'

/** Signs the requests that the service sends to a project's workers. The key pair is derived from the keyring and not stored. */
export const operatorSigner = (platform: Pick<Ports, 'keyring'>, project: { id: string }): Signer =>
  signerOf(platform.keyring, 'operator-token', project.id)
