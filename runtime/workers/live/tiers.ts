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
 * The door for one tier. The tier's prefix is added behind it, so preview code cannot name a production object.
 * Every method that is not `#` can be called by the app's worker: they are only ever added, never changed.
 */
abstract class Door extends WorkerEntrypoint<Env> implements LiveBinding, FilesBinding {
  readonly #tier: Tier

  constructor(tier: Tier, ctx: unknown, env: Env) {
    super(ctx, env)
    this.#tier = tier
  }

  get #partition() {
    return partitionOf(this.env.OBJECTS, this.#tier, PARTITION)
  }

  async prepare(hash: string, manifest: Manifest): Promise<void> {
    await Promise.all([
      this.#partition.prepare(hash, manifest),
      directoryOf(this.env.OBJECTS, this.#tier).dirPrepare(hash, manifest),
    ])
  }

  async data(hash: string, actor: Actor, call: DataCall): Promise<DataText> {
    if (call.kind === 'search')
      return JSON.stringify(await searchFor(this.env.OBJECTS, this.#tier, { hash, actor, ...call }))
    return await this.#partition.data(hash, actor, call)
  }

  files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']): Promise<FilesAnswer<Kind>> {
    return filesOf(this.env.OBJECTS, this.#tier).files(kind, ask)
  }

  fetch(request: Request): Promise<Response> {
    return this.#partition.fetch(request)
  }
}

export class Production extends Door {
  constructor(ctx: unknown, env: Env) {
    super('production', ctx, env)
  }
}

export class Preview extends Door {
  constructor(ctx: unknown, env: Env) {
    super('preview', ctx, env)
  }
}
