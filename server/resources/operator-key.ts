import { signerOf, type Signer } from '../crypto/signer.ts'
import type { Ports } from '../platform.ts'

/** Signs requests of a project's operator. The key pair is not stored, because it is derived from the keyring. */
export const operatorSigner = (platform: Pick<Ports, 'keyring'>, project: { id: string }): Signer =>
  signerOf(platform.keyring, 'operator-token', project.id)
