import { WorkerEntrypoint } from 'cloudflare:workers'
import { searchFor } from '../../directory/answers.ts'
import type { Actor, DataCall, DataText, LiveBinding } from '../../data/frames.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { FilesAnswer, FilesBinding, FilesCalls } from '../../files/types.ts'
import { directoryOf, filesOf, type Objects, partitionOf, type Tier } from '../../kernel/objects.ts'

interface Env {
  OBJECTS: Objects
}

const PARTITION = 'app'

/**
 * The entrypoint for one tier. It adds the tier's prefix itself, so preview code cannot name a production object; it
 * is no property, because one is made for every call. Every method can be called by the app's worker: they are only
 * ever added, never changed.
 */
function entrypointOf(tier: Tier) {
  const partition = (objects: Objects) => partitionOf(objects, tier, PARTITION)
  return class TierEntrypoint extends WorkerEntrypoint<Env> implements LiveBinding, FilesBinding {
    async prepare(hash: string, manifest: Manifest): Promise<void> {
      const { OBJECTS } = this.env
      await Promise.all([
        partition(OBJECTS).prepare(hash, manifest),
        directoryOf(OBJECTS, tier).dirPrepare(hash, manifest),
      ])
    }

    async data(hash: string, actor: Actor, call: DataCall): Promise<DataText> {
      const { OBJECTS } = this.env
      if (call.kind === 'search')
        return JSON.stringify(await searchFor(OBJECTS, tier, { hash, actor, ...call }))
      return await partition(OBJECTS).data(hash, actor, call)
    }

    files<Kind extends keyof FilesCalls>(
      kind: Kind,
      ask: FilesCalls[Kind]['ask'],
    ): Promise<FilesAnswer<Kind>> {
      return filesOf(this.env.OBJECTS, tier).files(kind, ask)
    }

    fetch(request: Request): Promise<Response> {
      return partition(this.env.OBJECTS).fetch(request)
    }
  }
}

export const Production = entrypointOf('production')
export const Preview = entrypointOf('preview')
