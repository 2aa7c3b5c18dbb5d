import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import type { JsonText } from '../../kernel/json-text.ts'
import type { CollectionSpec, Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import type { WriteOp } from '../frames.ts'
import { applyMutation } from './mutate.ts'
import { PartitionStore } from './store.ts'

/** Set it to the seed in a failure message to rerun only that run. */
const ONLY_SEED = Number(process.env['SEED'] ?? 0)
const RUNS = 500
const CLIENTS = 3
const TRANSACTIONS = 10
const NOW = new Date('2026-11-20T00:00:00Z')

const collectionWith = (fields: CollectionSpec['fields']): CollectionSpec => ({
  title: 'X',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields,
})
const MANIFEST: Manifest = {
  name: 'App',
  migrations: [],
  collections: {
    rooms: collectionWith({ name: { type: 'text', unique: true }, count: { type: 'integer' } }),
    plants: collectionWith({
      room: { type: 'ref', ref: 'rooms', onRemove: 'clear' },
      parent: { type: 'ref', ref: 'plants', onRemove: 'cascade' },
      seen: { type: 'list', ref: 'rooms', onRemove: 'clear' },
    }),
    lamps: collectionWith({ room: { type: 'ref', ref: 'rooms', onRemove: 'refuse' } }),
  },
}

/** Returns the same random numbers for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  return { below, pick }
}
type Random = ReturnType<typeof randomFrom>

type Fields = Record<string, unknown>
interface KnownRecord {
  rev: number
  fields: Fields
}
type Model = Map<string, KnownRecord>

const NAMES = ['rooms', 'plants', 'lamps']
const numberedId = (name: string, n: number) => `${name}-number-${n}`
const recordKey = ({ collection: name, id }: { collection: string; id: string }) => `${name} ${id}`
const idsIn = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string')
const fieldsIn = (name: string) => Object.entries(MANIFEST.collections[name]!.fields)

class Refused extends Error {}

/** Returns the model after the operations, by a simple version of the rules. Throws when a rule is broken. Does not change `before`. */
function applyToModel(before: Model, ops: WriteOp[]): Model {
  const model = new Map(before)
  for (const op of ops) applyOpToModel(model, op)
  applyOnRemove(model)
  if (danglingRefs(model).length > 0) throw new Refused()
  return model
}

function applyOpToModel(model: Model, op: WriteOp): void {
  const twin = (value: unknown) =>
    [...model].find(([key, one]) => key.startsWith('rooms ') && one.fields['name'] === value)
  if (op.op === 'upsert') {
    const holder = twin(op.fields['name'])
    const id = holder === undefined ? op.id! : holder[0].split(' ')[1]!
    const { collection: name, fields } = op
    return applyOpToModel(model, {
      op: holder === undefined ? 'create' : 'update',
      collection: name,
      id,
      fields,
    })
  }
  const key = recordKey(op as { collection: string; id: string })
  const known = model.get(key)
  if ((op.op === 'create') === (known !== undefined)) throw new Refused()
  if ('rev' in op && op.rev !== undefined && op.rev !== known?.rev) throw new Refused()
  if (op.op === 'remove') {
    model.delete(key)
    return
  }
  const empty = Object.fromEntries(fieldsIn(op.collection).map(([field]) => [field, null]))
  const fields: Fields = { ...(known?.fields ?? empty), ...op.fields }
  const amount = (fields['count'] as { increment: number } | null)?.increment
  if (amount !== undefined) fields['count'] = Number(known?.fields['count'] ?? 0) + amount
  const holder = typeof fields['name'] === 'string' ? twin(fields['name']) : undefined
  if (holder !== undefined && holder[0] !== key) throw new Refused()
  model.set(key, { rev: (known?.rev ?? 0) + 1, fields })
}

/** Returns every dangling reference: its record, field and target id. */
function danglingRefs(
  model: Model,
): { key: string; field: string; id: string; onRemove: string | undefined }[] {
  return [...model].flatMap(([key, { fields }]) =>
    fieldsIn(key.split(' ')[0]!).flatMap(([field, { ref, onRemove }]) =>
      ref === undefined
        ? []
        : idsIn(fields[field])
            .filter((id) => !model.has(`${ref} ${id}`))
            .map((id) => ({ key, field, id, onRemove })),
    ),
  )
}

/**
 * Applies `onRemove` to references to removed records until none is left. References to `INVENTED_ID`, which
 * no record has, stay: a transaction with such a reference must be refused.
 */
function applyOnRemove(model: Model): void {
  for (;;) {
    const next = danglingRefs(model).find(({ id, onRemove }) => onRemove !== 'refuse' && !isInvented(id))
    if (next === undefined) return
    const { rev, fields } = model.get(next.key)!
    const { key, field, id } = next
    if (next.onRemove === 'cascade') model.delete(key)
    else {
      const value = fields[field]
      const kept = Array.isArray(value) ? value.filter((one) => one !== id) : null
      model.set(key, { rev: rev + 1, fields: { ...fields, [field]: kept } })
    }
  }
}

const INVENTED_ID = 'never-stored'
const isInvented = (id: string) => id === INVENTED_ID

/** Returns random operations. Their revisions come from the client's earlier reads, so some are outdated. */
function someOps(random: Random, model: Model, seen: Map<string, number>): WriteOp[] {
  // The model ignores the order of operations, so no reference may name a record that this transaction removes or creates.
  const idsThere = (name: string) =>
    [...model.keys()].filter((key) => key.startsWith(`${name} `)).map((key) => key.split(' ')[1]!)
  const gone = new Set<string>()
  const someId = (name: string) => {
    if (random.below(25) === 0) return INVENTED_ID
    const ids = idsThere(name).filter((id) => !gone.has(`${name} ${id}`))
    return ids.length === 0 || random.below(4) === 0 ? null : random.pick(ids)
  }
  const fieldsFor = (name: string): Fields =>
    name === 'rooms'
      ? { name: random.pick(['a', 'b', 'c', 'd', null]), count: { increment: 1 + random.below(3) } }
      : name === 'lamps'
        ? { room: someId('rooms') }
        : {
            room: someId('rooms'),
            parent: someId('plants'),
            seen: [...new Set([someId('rooms'), someId('rooms')].filter((id) => id !== null))],
          }
  const removals: WriteOp[] = []
  const others: WriteOp[] = []
  for (let n = 1 + random.below(4); n > 0; n--) {
    const name = random.pick(NAMES)
    const id = numberedId(name, random.below(4))
    const rev = random.below(2) === 0 ? undefined : seen.get(`${name} ${id}`)
    const kind = random.pick(['create', 'create', 'update', 'update', 'remove', 'upsert'] as const)
    if (kind === 'remove') {
      gone.add(`${name} ${id}`)
      removals.push({ op: kind, collection: name, id, rev })
    } else if (kind === 'upsert') {
      const fields = { name: random.pick(['a', 'b', 'c', 'd']), count: { increment: 1 } }
      others.push({
        op: kind,
        collection: 'rooms',
        id: numberedId('rooms', random.below(4)),
        by: 'name',
        fields,
      })
    } else if (kind === 'create') others.push({ op: kind, collection: name, id, fields: fieldsFor(name) })
    else others.push({ op: kind, collection: name, id, fields: fieldsFor(name), rev })
  }
  return random.below(2) === 0 ? [...removals, ...others] : [...others, ...removals]
}

function modelOf(store: PartitionStore): Model {
  return new Map(
    NAMES.flatMap((name) =>
      store
        .run<{ id: string; rev: number; json: JsonText<Fields> }>(
          `select id, rev, json from "c_${name}" order by id`,
        )
        .map((row): [string, KnownRecord] => [
          `${name} ${row.id}`,
          { rev: row.rev, fields: JSON.parse(row.json) },
        ]),
    ),
  )
}

const sortedRecords = (model: Model) => [...model].sort(([a], [b]) => (a < b ? -1 : 1))

/** Asserts that no reference dangles and no unique value occurs twice, without the rules of `applyToModel`. */
function requireWhole(model: Model): void {
  assert.deepEqual(danglingRefs(model), [], 'a reference points to nothing')
  const names = [...model].flatMap(([key, { fields }]) =>
    key.startsWith('rooms ') && fields['name'] !== null ? [fields['name']] : [],
  )
  assert.equal(new Set(names).size, names.length, 'a unique value is there twice')
}

/** Runs the clients in a random order; each uses the revisions of its last read. Returns how many transactions were applied and refused. */
function runOne(seed: number): { applied: number; refused: number } {
  const random = randomFrom(seed)
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', MANIFEST, NOW.toISOString())
  const seen = Array.from({ length: CLIENTS }, () => new Map<string, number>())
  let model: Model = new Map()
  const counts = { applied: 0, refused: 0 }
  for (let turn = 0; turn < CLIENTS * TRANSACTIONS; turn++) {
    const client = random.below(CLIENTS)
    const own = seen[client]!
    if (random.below(3) === 0) for (const [key, { rev }] of model) own.set(key, rev)
    const ops = someOps(random, model, own)
    const head = store.head()
    const applyTurn = () =>
      applyMutation(
        store,
        { manifest: MANIFEST, actor: 'system', partition: 'app', now: NOW },
        { mutationId: `mutation-${turn}`, ops },
      )
    let expected: Model | null = null
    try {
      expected = applyToModel(model, ops)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    const told = JSON.stringify(ops)
    if (expected === null) {
      assert.throws(applyTurn, ApiError, `should be refused: ${told}`)
      assert.equal(store.head(), head, 'a refused transaction has left something in the log')
      counts.refused += 1
    } else {
      const { result, log } = applyTurn()
      assert.ok(log.length >= ops.length, told)
      // Repeats a change, as a page does after a lost reply: it must return the same result and write nothing.
      if (random.below(4) === 0) assert.deepEqual(applyTurn(), { result, log: [] }, told)
      model = expected
      counts.applied += 1
    }
    const stored = modelOf(store)
    requireWhole(stored)
    assert.deepEqual(sortedRecords(stored), sortedRecords(model), `after ${told}`)
  }
  return counts
}

test('500 random interleavings of transactions lose no update and leave no invalid reference or duplicate value', () => {
  const seeds = ONLY_SEED > 0 ? [ONLY_SEED] : Array.from({ length: RUNS }, (_, i) => i + 1)
  const total = { applied: 0, refused: 0 }
  for (const seed of seeds) {
    try {
      const { applied, refused } = runOne(seed)
      total.applied += applied
      total.refused += refused
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
  // If nearly all transactions were refused, or nearly all applied, the test would prove little.
  if (ONLY_SEED === 0) assert.ok(total.applied > 3000 && total.refused > 3000, JSON.stringify(total))
})
