import { WorkerEntrypoint } from 'cloudflare:workers'
import { brokenOf } from '../../connect/object.ts'
import { methodsOf } from '../../auth/account.ts'
import { type ErasureReport, erasePerson, type RemoveBytes } from './erase.ts'
import { callMail } from '../../email/rpc.ts'
import type { OutboxDump } from '../../email/store.ts'
import { setRole } from '../../auth/role.ts'
import { authSettingsOf } from '../../auth/settings.ts'
import type { ListedUser, PeopleQuery } from '../../auth/user-list.ts'
import type { AddCall, Added } from '../../data/add.ts'
import { addOperatorRecords, fieldFacts, operatorPage } from '../../directory/operator-records.ts'
import { toFields } from '../../data/replace.ts'
import { collectionOf } from '../../data/rules.ts'
import type { RowPage, RowPlace, StoredRow } from '../../data/transfer.ts'
import { toRecord } from '../../data/store.ts'
import type { DataAnswer, DataCall, OperatorQuery, StoredRecord, WriteOp } from '../../data/frames.ts'
import { completed, requireSearch } from '../../directory/search.ts'
import type { FilePage, FileRef } from '../../files/types.ts'
import { indexedRooms, indexRoom } from '../../live/room-index.ts'
import { callOrders } from '../../pay/ask.ts'
import type { OrderDump, PayDump } from '../../pay/calls.ts'
import { endPayments } from '../../pay/end-payments.ts'
import { paySettingsOf } from '../../pay/settings.ts'
import type { Found } from '../../directory/frames.ts'
import type { ListedTeam } from '../../team/types.ts'
import type { Person } from '../../kernel/actor.ts'
import { type Result, ApiError, fromFailure, asResult } from '../../kernel/errors.ts'
import { labelField, type Manifest } from '../../kernel/manifest.ts'
import {
  directoryOf,
  filesOf,
  objectAt,
  type Objects,
  type PartitionHead,
  partitionOf,
  placeOfRoom,
  roomAt,
  scheduleOf,
  type Tier,
} from '../../kernel/objects.ts'
import { addMethods } from '../../kernel/part.ts'
import { PARTS } from '../../object-parts.ts'

interface Env {
  OBJECTS: Objects
}

interface RecordPlace {
  collection: string
  partition: string
  id: string
}

type OperatorRecord = StoredRecord & { partition: string }

/** What a move copies of a partition before its rows, with what other objects store of it. */
export interface MovedHead extends PartitionHead {
  /** Unsent mail of the whole tier. Only the app's partition has it. */
  outbox?: OutboxDump | null
  /** The directory's data about payments, without the orders of people. Only the app's partition has it. */
  pay?: PayDump | null
  orders?: OrderDump | null
}

declare module '../../kernel/admin.ts' {
  interface OperatorBinding extends Omit<Operator, 'env' | 'ctx'> {}
}

/** The entrypoint for the operator's calls. Serves both tiers; only the admin worker is bound to it. */
export class Operator extends WorkerEntrypoint<Env> {
  static {
    for (const { reads } of PARTS)
      addMethods(this.prototype, reads, ({ env }) => ({ objects: env.OBJECTS, env }), asResult)
  }

  /** Marks a token as used. Returns false when it was used before. */
  spend(tier: Tier, jti: string, expiresAt: number): Promise<boolean> {
    return directoryOf(this.env.OBJECTS, tier).dirSpend(jti, expiresAt)
  }

  /** Makes a release the one that reads and search use from now on. */
  activate(tier: Tier, hash: string, manifest: Manifest): Promise<Result<{ hash: string }>> {
    return asResult(async () => {
      const directory = directoryOf(this.env.OBJECTS, tier)
      await directory.dirPrepare(hash, manifest)
      await directory.dirActivate(hash)
      await scheduleOf(this.env.OBJECTS, tier).planSchedules(manifest.schedules ?? [])
      // Resume waiting messages now: a new binding to the app triggers nothing by itself.
      if (manifest.hooks !== undefined || manifest.mailboxes !== undefined)
        await partitionOf(this.env.OBJECTS, tier, 'app').resumeHooks()
      await callOrders(this.env.OBJECTS, tier, 'resume', null)
      return { hash }
    })
  }

  collections(tier: Tier) {
    return asResult(async () => {
      const directory = directoryOf(this.env.OBJECTS, tier)
      const [active, totals] = await Promise.all([directory.dirActive(), directory.dirTotals()])
      return Object.entries(active?.manifest.collections ?? {}).map(([name, spec]) => ({
        name,
        title: spec.title,
        partition: spec.partition,
        read: spec.read,
        write: spec.write,
        fields: Object.entries(spec.fields).map(fieldFacts),
        label: labelField(spec),
        count: totals[name]?.count ?? 0,
        updatedAt: totals[name]?.updatedAt ?? null,
      }))
    })
  }

  records(tier: Tier, collection: string, limit: number): Promise<Result<OperatorRecord[]>> {
    return asResult(async () => {
      const { manifest } = await this.#activeRelease(tier)
      collectionOf(manifest, collection)
      const found = await directoryOf(this.env.OBJECTS, tier).dirNewest(collection, limit)
      return await this.#operatorRecords(tier, manifest, collection, found)
    })
  }

  /** Can sort and filter by fields that have an index. */
  page(tier: Tier, collection: string, query: OperatorQuery) {
    return asResult(async () => operatorPage(await this.#operatorDesk(tier), collection, query))
  }

  /** Creates each record separately, with the app's validation. A trial stores nothing and returns which records would be rejected. */
  add(tier: Tier, partition: string, call: AddCall): Promise<Result<Added[]>> {
    return asResult(async () => addOperatorRecords(await this.#operatorDesk(tier), partition, call))
  }

  search(
    tier: Tier,
    collection: string,
    { q, limit }: { q: string; limit: number },
  ): Promise<Result<OperatorRecord[]>> {
    return asResult(async () => {
      const { manifest } = await this.#activeRelease(tier)
      requireSearch(collection, collectionOf(manifest, collection), q)
      const search = { q, partitions: null, owner: null, limit }
      const found = await directoryOf(this.env.OBJECTS, tier).dirSearch(collection, search)
      return await this.#operatorRecords(tier, manifest, collection, found)
    })
  }

  /** Validates the record like a write of the app. */
  replace(tier: Tier, place: RecordPlace, record: Record<string, unknown>): Promise<Result<OperatorRecord>> {
    return asResult(async () => {
      const { manifest } = await this.#requireRecord(tier, place)
      const { fields, rev } = toFields(collectionOf(manifest, place.collection), record)
      const op = { op: 'update' as const, collection: place.collection, id: place.id, fields, rev }
      const { records } = await this.#mutateAsOperator(tier, place, op)
      return { ...(records[0] as StoredRecord), partition: place.partition }
    })
  }

  remove(tier: Tier, place: RecordPlace): Promise<Result<{ id: string }>> {
    return asResult(async () => {
      await this.#requireRecord(tier, place)
      await this.#mutateAsOperator(tier, place, { op: 'remove', collection: place.collection, id: place.id })
      return { id: place.id }
    })
  }

  /** Returns the newest first. */
  users(tier: Tier, limit: number): Promise<Result<ListedUser[]>> {
    return asResult(async () => {
      const listed = await directoryOf(this.env.OBJECTS, tier).users('newest', { limit })
      return listed.map((user) => this.#withMethods(user))
    })
  }

  /** Returns the newest first. */
  people(tier: Tier, ask: PeopleQuery): Promise<Result<ListedUser[]>> {
    return asResult(async () => {
      const listed = await directoryOf(this.env.OBJECTS, tier).users('page', ask)
      return listed.map((user) => this.#withMethods(user))
    })
  }

  /** Returns the newest first. */
  teams(tier: Tier, limit: number): Promise<Result<ListedTeam[]>> {
    return asResult(() => directoryOf(this.env.OBJECTS, tier).teams('newest', { limit }))
  }

  /** Takes effect with the next request, and on open pages at once. */
  setRole(tier: Tier, userId: string, role: Person['role']): Promise<Result<ListedUser>> {
    return asResult(async () => this.#withMethods(await setRole(this.env.OBJECTS, tier, userId, role)))
  }

  erase(tier: Tier, userId: string, removeBytes: RemoveBytes): Promise<Result<ErasureReport>> {
    const stopPaying = (user: string) =>
      endPayments(this.env.OBJECTS, paySettingsOf(this.env), { tier, user })
    return asResult(() => erasePerson(this.env.OBJECTS, tier, userId, { removeBytes, stopPaying }))
  }

  /** While held, everything that the tier stores rejects changes. Takes effect before this returns. */
  hold(tier: Tier, isHeld: boolean): Promise<Result<{ held: boolean }>> {
    return asResult(async () => {
      const objects = [
        filesOf(this.env.OBJECTS, tier),
        scheduleOf(this.env.OBJECTS, tier),
        // Hold the directory first, because new people sign up there.
        directoryOf(this.env.OBJECTS, tier),
        ...(await this.#partitionsOf(tier)).map(({ object }) => object),
      ]
      await Promise.all(objects.map((object) => object.hold(isHeld)))
      return { held: isHeld }
    })
  }

  /** Returns what a move must copy: the live release, and every partition with its applied migrations. */
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
            ...(name === 'app' && { outbox: await callMail(this.env.OBJECTS, tier, 'dump', null) }),
            ...(name === 'app' ? { pay: orders?.pay ?? null } : { orders: orders?.people[name] ?? null }),
          },
        })),
      )
      return { release, partitions }
    })
  }

  rows(tier: Tier, partition: string, after: RowPlace | null): Promise<Result<RowPage>> {
    return asResult(() => objectAt(this.env.OBJECTS, tier, partition).rows(after))
  }

  /** Empties the tier before a copy, so that afterwards it holds only the copied data. */
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
        const broken = brokenOf(head.connections ?? [])
        const taken = { user, identities: account.identities, methods: methodsOf(account), broken }
        await directoryOf(this.env.OBJECTS, tier).users('take', taken)
        if (account.member != null)
          await directoryOf(this.env.OBJECTS, tier).users('linkMember', {
            member: account.member,
            userId: partition,
          })
      }
      if (head.pay) await callOrders(this.env.OBJECTS, tier, 'restorePay', head.pay)
      if (head.outbox) await callMail(this.env.OBJECTS, tier, 'restore', head.outbox)
      if (head.team) await directoryOf(this.env.OBJECTS, tier).teams('take', head.team)
      const { spends = [] } = head.meters ?? {}
      if (spends.length > 0)
        await directoryOf(this.env.OBJECTS, tier).meters('take', { subject: partition, spends })
      for (const { id } of head.push?.devices ?? [])
        await directoryOf(this.env.OBJECTS, tier).pushOwners('claim', { id, userId: partition })
      const room = roomAt(partition)
      if (room !== null) await indexRoom(directoryOf(this.env.OBJECTS, tier), room)
      const object = objectAt(this.env.OBJECTS, tier, partition)
      await object.takeHead(head, release)
      if (!head.orders) return null
      const told = await callOrders(this.env.OBJECTS, tier, 'restore', { user: partition, dump: head.orders })
      // After the account, because nothing is stored for a person who does not exist.
      if (told !== null) await object.grants('take', told)
      return null
    })
  }

  takeRows(tier: Tier, partition: string, rows: StoredRow[]): Promise<Result<{ taken: number }>> {
    return asResult(async () => {
      await objectAt(this.env.OBJECTS, tier, partition).takeRows(rows)
      return { taken: rows.length }
    })
  }

  files(tier: Tier, cursor: string | undefined): Promise<Result<FilePage>> {
    const ask = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
    return filesOf(this.env.OBJECTS, tier).files('list', ask)
  }

  takeFiles(tier: Tier, files: FileRef[]): Promise<Result<{ taken: number }>> {
    return asResult(async () => {
      await filesOf(this.env.OBJECTS, tier).takeFiles(files)
      return { taken: files.length }
    })
  }

  /** Adds the sign-in method that stores nothing: a mailed code can open every account. */
  #withMethods(user: ListedUser): ListedUser {
    const isByCode = authSettingsOf(this.env).methods.emailCode
    return { ...user, methods: [...user.methods, ...(isByCode ? ['emailCode'] : [])] }
  }

  /** Returns all partitions, including rooms, and the app's own partition even before its first write. */
  async #partitionsOf(tier: Tier) {
    const directory = directoryOf(this.env.OBJECTS, tier)
    const [known, people, teams] = await Promise.all([
      directory.dirPartitions(),
      directory.users('ids', null),
      directory.teams('ids', null),
    ])
    const rooms = (await indexedRooms(directory)).map(placeOfRoom)
    return [...new Set(['app', ...known, ...people, ...teams, ...rooms])].map((name) => ({
      name,
      object: objectAt(this.env.OBJECTS, tier, name),
    }))
  }

  async #operatorDesk(tier: Tier) {
    return { objects: this.env.OBJECTS, tier, ...(await this.#activeRelease(tier)) }
  }

  async #activeRelease(tier: Tier) {
    const active = await directoryOf(this.env.OBJECTS, tier).dirActive()
    if (active === null) throw new ApiError('not_found', 'No release was activated yet.')
    return active
  }

  async #operatorRecords(
    tier: Tier,
    manifest: Manifest,
    collection: string,
    found: Found[],
  ): Promise<OperatorRecord[]> {
    const spec = collectionOf(manifest, collection)
    const whole = await completed(this.env.OBJECTS, tier, collection, found)
    return whole.map(({ partition, row }) => ({ ...toRecord(row, spec), partition }))
  }

  /** Throws when the record does not exist. Checks the directory first, because calling an object creates it, and a guessed name must not. */
  async #requireRecord(tier: Tier, { collection, partition, id }: RecordPlace) {
    const active = await this.#activeRelease(tier)
    collectionOf(active.manifest, collection)
    const isThere = await directoryOf(this.env.OBJECTS, tier).dirHolds(collection, partition, id)
    if (!isThere) throw new ApiError('not_found', `No such record in ${collection}.`)
    return active
  }

  async #mutateAsOperator(tier: Tier, place: RecordPlace, op: WriteOp) {
    const { hash, manifest } = await this.#activeRelease(tier)
    const partition = partitionOf(this.env.OBJECTS, tier, place.partition)
    const call: DataCall = { kind: 'write', ops: [op] }
    const ask = async () => JSON.parse(await partition.data(hash, 'system', call)) as DataAnswer
    let answer = await ask()
    if (!answer.ok && 'unprepared' in answer) {
      await partition.prepare(hash, manifest)
      answer = await ask()
    }
    if (!answer.ok) throw 'error' in answer ? fromFailure(answer.error) : new Error('not prepared')
    // Wait for the directory, so that the list that is read next contains the change.
    await partition.flush()
    return answer.value as { records: (StoredRecord | null)[] }
  }
}
