import { ApiFailure } from '../../rest/failure.ts'
import { fetchWorker } from '../../workerd/worker-socket.ts'
import {
  AppUnavailableError,
  type GroupFinder,
  WaitRefusedError,
  type WorkerGroup,
} from '../../workerd/groups.ts'
import { DATA_WORKER } from '../../workerd/plan.ts'
import { isStored, linkFiles, removeFiles } from './files.ts'
import { findResource, type Resource } from '../../store/resources.ts'
import type { Store } from '../../../world/store.ts'
import { Semaphore } from '../../../world/semaphore.ts'

/**
 * Access to the files of KV namespaces, databases and buckets. They are moved in the transaction that changes
 * the group in the resource's row.
 */
export interface ResourceFiles {
  /** Returns whether the resource has data. Without data, it can move to another group without moving files. */
  isStored(resource: Resource): boolean
  moveData(resource: Resource, toGroupId: string): void
}

interface MovedResource {
  resource: Resource
  toDir: string
}

/**
 * Accesses the data of KV namespaces, databases and buckets through the workerd process that has their files
 * open. Moves the files only while that process is stopped.
 */
export class ResourceData {
  readonly #store: Store
  readonly #apps: GroupFinder
  // Only one move of files runs at a time: otherwise one move, at its end, could start a process that another move has stopped.
  readonly #moveSemaphore = new Semaphore(1)

  constructor(store: Store, apps: GroupFinder) {
    this.#store = store
    this.#apps = apps
  }

  /** Returns whether a resource has data; false when it was never opened. */
  isStored(resource: Resource): boolean {
    return isStored(this.#dirOf(resource), resource)
  }

  /**
   * Sends a request to the internal worker `_data` in the process that serves the resource; the
   * `data-module.ts` of each product lists the parameters and bodies. A response of status 400 contains the
   * product's error as `message`. Throws an `ApiFailure` when the process cannot be reached.
   */
  async request(known: Resource, params: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    const { kind, id } = known
    const group = await this.#enterGroup(known)
    try {
      const socket = await group.socket(DATA_WORKER).catch(rethrowAsUnavailable)
      const path = `/${kind}/${id}?${new URLSearchParams(params).toString()}`
      // Reads the whole body before `group.leave()`, after which the process may be restarted.
      return await readWhole(fetchWorker(socket, path, init)).catch(() => {
        // The process has ended, which broke the connection.
        throw unavailable(1)
      })
    } finally {
      group.leave()
    }
  }

  /**
   * Enters the group (process) of the resource. Checks the group again after waiting, because the resource may have moved to another group.
   */
  async #enterGroup({ accountId, kind, id }: Resource): Promise<WorkerGroup> {
    for (;;) {
      const resource = findResource(this.#store, accountId, kind, { id })
      if (resource === null) throw new ApiFailure(404, 10006, 'It was deleted meanwhile.')
      const group = this.#apps.group(resource.groupId, accountId)
      await group.enter(DATA_WORKER).catch(rethrowAsUnavailable)
      const now = findResource(this.#store, accountId, kind, { id })
      if (now?.groupId === resource.groupId) return group
      group.leave()
    }
  }

  /** Deletes the data once no process has it open. */
  async delete(resource: Resource): Promise<void> {
    await this.#apps.group(resource.groupId, resource.accountId).waitForRestart()
    removeFiles(this.#dirOf(resource), resource)
  }

  /**
   * Stops the processes of these groups, then commits a change that may move resources out of them. Files are linked into the new folder
   * first, and deleted from the old folder after the commit. After a crash in between, the database says which folder is right, and the
   * clean-up at the next start deletes the files in the wrong one.
   */
  async moveWhileStopped<T>(
    accountId: string,
    groupIds: readonly string[],
    commit: (files: ResourceFiles) => T,
  ): Promise<T> {
    if (groupIds.length === 0) return commit(this.#resourceFiles(new Set(), []))
    return this.#moveSemaphore.run(() => {
      const carried: MovedResource[] = []
      const commitMove = async () => {
        const result = this.#commitOrRestore(
          () => commit(this.#resourceFiles(new Set(groupIds), carried)),
          carried,
        )
        for (const { resource } of carried) removeFiles(this.#dirOf(resource), resource)
        return result
      }
      return groupIds.reduceRight<() => Promise<T>>(
        (inner, groupId) => () => this.#apps.group(groupId, accountId).runWhileStopped(inner),
        commitMove,
      )()
    })
  }

  /** Runs `commit`. When it throws, deletes the links to the files in the new folder. */
  #commitOrRestore<T>(commit: () => T, carried: MovedResource[]): T {
    try {
      return commit()
    } catch (error) {
      for (const { resource, toDir } of carried) removeFiles(toDir, resource)
      throw error
    }
  }

  #resourceFiles(still: ReadonlySet<string>, carried: MovedResource[]): ResourceFiles {
    return {
      isStored: (resource) => this.isStored(resource),
      moveData: (resource, toGroupId) => {
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

/**
 * Throws an `ApiFailure` of status 503, as in an outage of the product, when the process that has the data open is unavailable. Rethrows
 * any other error.
 */
function rethrowAsUnavailable(error: unknown): never {
  const retryAfter = error instanceof AppUnavailableError ? error.retryAfterSeconds : null
  if (retryAfter === null && !(error instanceof WaitRefusedError)) throw error
  throw unavailable(retryAfter ?? 1)
}

const unavailable = (retryAfterSeconds: number) =>
  new ApiFailure(503, 10002, 'The data cannot be reached now.', { 'Retry-After': String(retryAfterSeconds) })

async function readWhole(sent: ReturnType<typeof fetchWorker>): Promise<Response> {
  const found = await sent
  return new Response(await found.arrayBuffer(), { status: found.status, headers: [...found.headers] })
}
