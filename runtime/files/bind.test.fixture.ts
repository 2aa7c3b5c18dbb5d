import type { FileBucket } from '../bytes/bucket.ts'
import { CAPABILITY_KEYS } from '../capabilities.ts'
import { enableCapabilities, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'

/** A stream that fails unless exactly `sizeBytes` bytes pass through it, like `FixedLengthStream` of workerd. */
class FixedLength extends TransformStream<Uint8Array, Uint8Array> {
  constructor(sizeBytes: number) {
    let left = sizeBytes
    super({
      transform: (chunk, stream) => {
        left -= chunk.length
        if (left < 0) throw new TypeError('Attempt to write too many bytes through a FixedLengthStream.')
        stream.enqueue(chunk)
      },
      flush: () => {
        if (left > 0) throw new TypeError('FixedLengthStream did not see all expected bytes before close().')
      },
    })
  }
}

/** Binds the worker of the app to a live worker and a bucket, until `unbindFiles`. */
export function bindFiles(live: unknown, bucket: FileBucket): void {
  enableCapabilities(...CAPABILITY_KEYS)
  Object.assign(workerEnv, { LIVE: live, FILES: bucket })
  Object.assign(globalThis, { FixedLengthStream: FixedLength })
}

export function unbindFiles(): void {
  Reflect.deleteProperty(globalThis, 'FixedLengthStream')
  for (const name of ['FILES', 'LIVE']) delete workerEnv[name]
  enableCapabilities()
}
