import { ApiFailure } from '../../rest/failure.ts'
import { type AppGroup, AppUnavailable } from '../../runtime/app-group.ts'
import type { Apps } from '../../runtime/apps.ts'
import { askWorker } from '../../runtime/ask-worker.ts'
import { WaitRefused } from '../../runtime/in-flight.ts'
import type { ResourceFiles } from '../../scripts/groups.ts'
import { DATA_WORKER } from '../../runtime/plan.ts'
import { isStored, linkFiles, removeFiles } from './files.ts'
import { findResource, type Resource } from './resources.ts'
import type { Store } from '../../../world/store.ts'
import { Semaphore } from '../../../world/semaphore.ts'

type AppsOfData = Pick<Apps, 'group' | 'stateDir'>

interface Carried {
  resource: Resource
  toDir: string
}

/** What resources hold: asked through the process that has them open, moved while none has. */
export class ResourceData {
  readonly #store: Store
  readonly #apps: AppsOfData
  // Two moves at once could each open what the other has closed.
  readonly #moves = new Semaphore(1)

  constructor(store: Store, apps: AppsOfData) {
    this.#store = store
    this.#apps = apps
  }

  /** Whether a resource was ever opened: then there may be something in it. */
  isStored(resource: Resource): boolean {
    return isStored(this.#dirOf(resource), resource)
  }

  /**
   * Asks the data worker of the group a resource is in; the parameters and bodies are those of `data/`. An answer
   * of status 400 holds the product's refusal as `message`.
   */
  async ask(known: Resource, params: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    const { kind, id } = known
    const group = await this.#enter(known)
    try {
      const socket = await group.socket(DATA_WORKER).catch(refuseForNow)
      const path = `/${kind}/${id}?${new URLSearchParams(params).toString()}`
      const found = await askWorker(socket, path, init)
      // Read whole while the group cannot be exchanged.
      return new Response(await found.arrayBuffer(), { status: found.status, headers: [...found.headers] })
    } finally {
      group.leave()
    }
  }

  /** Enters the group a resource is in, which may change while one waits at a gate. */
  async #enter({ accountId, kind, id }: Resource): Promise<AppGroup> {
    for (;;) {
      const resource = findResource(this.#store, accountId, kind, { id })
      if (resource === null) throw new ApiFailure(404, 10006, 'It was deleted meanwhile.')
      const group = this.#apps.group(resource.groupId, accountId)
      await group.enter().catch(refuseForNow)
      const now = findResource(this.#store, accountId, kind, { id })
      if (now?.groupId === resource.groupId) return group
      group.leave()
    }
  }

  /** Deletes what a resource that is gone kept, once no process has it open. */
  async forget(resource: Resource): Promise<void> {
    await this.#apps.group(resource.groupId, resource.accountId).settled()
    removeFiles(this.#dirOf(resource), resource)
  }

  /**
   * Commits a change that may move resources out of these groups, which rest meanwhile. A crash leaves the files
   * under both names or the old one, and the rows say which holds; the next start of the world removes the other.
   */
  async relocating<T>(
    accountId: string,
    groupIds: readonly string[],
    commit: (files: ResourceFiles) => T,
  ): Promise<T> {
    if (groupIds.length === 0) return commit(this.#files(new Set(), []))
    return this.#moves.run(() => {
      const carried: Carried[] = []
      const run = async () => {
        const result = this.#commit(() => commit(this.#files(new Set(groupIds), carried)), carried)
        for (const { resource } of carried) removeFiles(this.#dirOf(resource), resource)
        return result
      }
      return groupIds.reduceRight<() => Promise<T>>(
        (inner, groupId) => () => this.#apps.group(groupId, accountId).suspended(inner),
        run,
      )()
    })
  }

  /** A change that is refused leaves no second names behind. */
  #commit<T>(commit: () => T, carried: Carried[]): T {
    try {
      return commit()
    } catch (error) {
      for (const { resource, toDir } of carried) removeFiles(toDir, resource)
      throw error
    }
  }

  #files(still: ReadonlySet<string>, carried: Carried[]): ResourceFiles {
    return {
      isStored: (resource) => this.isStored(resource),
      carry: (resource, toGroupId) => {
        if (!still.has(resource.groupId))
          throw new ApiFailure(409, 10013, `${resource.name} changed meanwhile; send the upload again.`)
        const toDir = this.#apps.stateDir(resource.accountId, toGroupId)
        carried.push({ resource, toDir })
        linkFiles(this.#dirOf(resource), toDir, resource)
      },
    }
  }

  #dirOf({ accountId, groupId }: Resource): string {
    return this.#apps.stateDir(accountId, groupId)
  }
}

/** An app that crashes or is held takes its data with it: the product is unavailable, as at an outage. */
function refuseForNow(error: unknown): never {
  const retryAfter = error instanceof AppUnavailable ? error.retryAfterSeconds : null
  if (retryAfter === null && !(error instanceof WaitRefused)) throw error
  throw new ApiFailure(503, 10002, 'The data cannot be reached now.', {
    'Retry-After': String(retryAfter ?? 1),
  })
}
