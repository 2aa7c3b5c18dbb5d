import { signerOf, type Signer } from '../crypto/signer.ts'
import type { Ports } from '../platform.ts'

/** Signs for a project's operator. The pair is derived from the keyring, so it is stored nowhere. */
export const operatorSigner = (platform: Pick<Ports, 'keyring'>, project: { id: string }): Signer =>
  signerOf(platform.keyring, 'operator-token', project.id)
