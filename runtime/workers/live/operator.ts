import { WorkerEntrypoint } from 'cloudflare:workers'
import { brokenProviders } from '../../connect/object.ts'
import { methodsOf } from '../../auth/objects/account.ts'
import { type ErasureReport, erasePerson } from './erase.ts'
import type { RowPage, RowCursor, StoredRow } from '../../data/partition/transfer.ts'
import { indexedRooms, indexRoom } from '../../live/room-index.ts'
import { callOrders } from '../../pay/ask.ts'
import type { OrderDump, PayDump } from '../../pay/calls.ts'
import { type Result, asResult } from '../../kernel/errors.ts'
import type { RemoveBytes } from '../../kernel/objects/erasure.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import {
  directoryOf,
  filesOf,
  objectByName,
  type Objects,
  type PartitionHead,
  partitionOf,
  nameOfRoom,
  roomOfName,
  scheduleOf,
  type Tier,
} from '../../kernel/objects/objects.ts'
import { addMethods } from '../../kernel/objects/part.ts'
import { PARTS } from '../../object-parts.ts'

interface OperatorEnv {
  OBJECTS: Objects
}

/**
 * What a move to another cloud account copies of a partition before its rows, including what other Durable Objects store for the partition.
 */
export interface MovedHead extends PartitionHead {
  /**
   * What the directory object stores about payments, except people's orders, which are in `orders` of each person's partition. Only the
   * app's partition has this field.
   */
  pay?: PayDump | null
  orders?: OrderDump | null
}

declare module '../../kernel/objects/admin.ts' {
  interface OperatorBinding extends Omit<Operator, 'env' | 'ctx'> {}
}

/** The entrypoint for the service's calls to the live app or its preview. Only the admin worker is bound to it. */
export class Operator extends WorkerEntrypoint<OperatorEnv> {
  static {
    for (const { reads } of PARTS)
      addMethods(this.prototype, reads, ({ env }) => ({ objects: env.OBJECTS, env }), asResult)
  }

  /** Marks a token as used. Returns false when it was used before. */
  spend(tier: Tier, jti: string, expiresAt: number): Promise<boolean> {
    return directoryOf(this.env.OBJECTS, tier).dirSpend(jti, expiresAt)
  }

  /** Makes a release the active one: from now on its manifest applies to reads and search across all partitions. */
  activate(tier: Tier, hash: string, manifest: Manifest): Promise<Result<{ hash: string }>> {
    return asResult(async () => {
      const directory = directoryOf(this.env.OBJECTS, tier)
      await directory.dirPrepare(hash, manifest)
      await directory.dirActivate(hash)
      await scheduleOf(this.env.OBJECTS, tier).planSchedules(manifest.schedules ?? [])
      // Resume waiting messages now: the Durable Objects do not notice by themselves that the new release can handle them.
      if (manifest.hooks !== undefined || manifest.mailboxes !== undefined)
        await partitionOf(this.env.OBJECTS, tier, 'app').resumeHooks()
      await callOrders(this.env.OBJECTS, tier, 'resume', null)
      return { hash }
    })
  }

  erase(tier: Tier, userId: string, removeBytes: RemoveBytes): Promise<Result<ErasureReport>> {
    const { env } = this
    return asResult(() => erasePerson({ objects: env.OBJECTS, tier, env }, userId, removeBytes))
  }

  /**
   * Starts or ends the hold for a move to another account: during it, all Durable Objects of the live app or
   * its preview reject changes. Takes effect before this returns.
   */
  hold(tier: Tier, isHeld: boolean): Promise<Result<{ held: boolean }>> {
    return asResult(async () => {
      // First make the directory reject changes: it then adds no more people and teams, so the list of partitions below is complete.
      await directoryOf(this.env.OBJECTS, tier).hold(isHeld)
      const objects = [
        filesOf(this.env.OBJECTS, tier),
        scheduleOf(this.env.OBJECTS, tier),
        ...(await this.#partitionsOf(tier)).map(({ object }) => object),
      ]
      await Promise.all(objects.map((object) => object.hold(isHeld)))
      return { held: isHeld }
    })
  }

  /** Returns what a move to another cloud account must copy: the live release, and every partition with its applied migrations. */
  contents(tier: Tier) {
    return asResult(async () => {
      const release = await directoryOf(this.env.OBJECTS, tier).dirActive()
      const all = await this.#partitionsOf(tier)
      const orders = await callOrders(this.env.OBJECTS, tier, 'dump', null)
      const partitions = await Promise.all(
        all.map(async ({ name, object }) => ({
          name,
          head: {
            ...(await object.head()),
            ...(name === 'app' ? { pay: orders?.pay ?? null } : { orders: orders?.people[name] ?? null }),
          },
        })),
      )
      return { release, partitions }
    })
  }

  rows(tier: Tier, partition: string, after: RowCursor | null): Promise<Result<RowPage>> {
    return asResult(() => objectByName(this.env.OBJECTS, tier, partition).rows(after))
  }

  /** Empties the live app or its preview before data is copied to it, so that afterwards it contains only the copied data. */
  wipe(tier: Tier): Promise<Result<null>> {
    return asResult(async () => {
      for (const { object } of await this.#partitionsOf(tier)) await object.wipe()
      await filesOf(this.env.OBJECTS, tier).wipe()
      await scheduleOf(this.env.OBJECTS, tier).wipe()
      await directoryOf(this.env.OBJECTS, tier).wipe()
      return null
    })
  }

  takeHead(
    tier: Tier,
    partition: string,
    head: MovedHead,
    release: { hash: string; manifest: Manifest } | null,
  ): Promise<Result<null>> {
    return asResult(async () => {
      const { account } = head
      if (account) {
        const { password: _password, ...view } = account.account
        const user = { id: partition, ...view }
        const broken = brokenProviders(head.connections ?? [])
        const taken = { user, identities: account.identities, methods: methodsOf(account), broken }
        await directoryOf(this.env.OBJECTS, tier).users('take', taken)
        if (account.member != null)
          await directoryOf(this.env.OBJECTS, tier).users('linkMember', {
            member: account.member,
            userId: partition,
          })
      }
      if (head.pay) await callOrders(this.env.OBJECTS, tier, 'restorePay', head.pay)
      if (head.team) await directoryOf(this.env.OBJECTS, tier).teams('take', head.team)
      const { spends = [] } = head.meters ?? {}
      if (spends.length > 0)
        await directoryOf(this.env.OBJECTS, tier).meters('take', { subject: partition, spends })
      for (const { id } of head.push?.devices ?? [])
        await directoryOf(this.env.OBJECTS, tier).pushOwners('claim', { id, userId: partition })
      const room = roomOfName(partition)
      if (room !== null) await indexRoom(directoryOf(this.env.OBJECTS, tier), room)
      const object = objectByName(this.env.OBJECTS, tier, partition)
      await object.takeHead(head, release)
      if (!head.orders) return null
      const told = await callOrders(this.env.OBJECTS, tier, 'restore', { user: partition, dump: head.orders })
      // Store the person's purchases only after `takeHead` has stored the account: an object stores no purchases for a person without an
      // account.
      if (told !== null) await object.grants('take', told)
      return null
    })
  }

  takeRows(tier: Tier, partition: string, rows: StoredRow[]): Promise<Result<{ taken: number }>> {
    return asResult(async () => {
      await objectByName(this.env.OBJECTS, tier, partition).takeRows(rows)
      return { taken: rows.length }
    })
  }

  /** Returns all partitions, including rooms, and the app's own partition even before its first write. */
  async #partitionsOf(tier: Tier) {
    const directory = directoryOf(this.env.OBJECTS, tier)
    const [known, people, teams] = await Promise.all([
      directory.dirPartitions(),
      directory.users('ids', null),
      directory.teams('ids', null),
    ])
    const rooms = (await indexedRooms(directory)).map(nameOfRoom)
    return [...new Set(['app', ...known, ...people, ...teams, ...rooms])].map((name) => ({
      name,
      object: objectByName(this.env.OBJECTS, tier, name),
    }))
  }
}
