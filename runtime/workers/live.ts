import { WorkerEntrypoint, type ObjectNamespace } from 'cloudflare:workers'
import type { Actor, DataAnswer, DataCall, LiveBinding } from '../data/frames.ts'
import type { Manifest } from '../kernel/manifest.ts'

export { AppObject } from '../data/object.ts'

interface Env {
  OBJECTS: ObjectNamespace<LiveBinding>
}

const PARTITION = 'data:app'

/** The door for one tier. The prefix is added here, so preview code cannot name a production object. */
class Tier extends WorkerEntrypoint<Env> {
  protected get object(): LiveBinding {
    return this.env.OBJECTS.getByName(PARTITION)
  }

  async prepare(hash: string, manifest: Manifest): Promise<void> {
    await this.object.prepare(hash, manifest)
  }

  data(hash: string, actor: Actor, call: DataCall): Promise<DataAnswer> {
    return this.object.data(hash, actor, call)
  }

  fetch(request: Request): Promise<Response> {
    return this.object.fetch(request)
  }
}

export class Production extends Tier {}

export class Preview extends Tier {
  protected override get object(): LiveBinding {
    return this.env.OBJECTS.getByName(`pv:${PARTITION}`)
  }
}

export default {
  fetch: () => new Response('This worker has no address.', { status: 404 }),
}
