import type { SyncStorage } from 'cloudflare:workers'
import type { Alarms } from '../kernel/objects/alarms.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { HOUR_MS } from '../kernel/durations.ts'

/** A search compares only the newest 2,000 records of a collection, because their vectors take 8 MB of memory. */
const COMPARED_RECORDS_MAX = 2000
/** The maximum number of texts in one model call, which counts as one run of the budget. */
const TEXTS_AT_ONCE = 50
const TEXT_CHARS_MAX = 4000
const FLUSH_DELAY_MS = 1000
const RETRY_MS = 5 * 60_000
const RETRY_MAX_MS = HOUR_MS

export interface VectorDeps {
  storage: SyncStorage
  alarms: Pick<Alarms, 'set'>
  /** Returns the manifest of the newest release that this partition has received; null before the first release. */
  manifest(): Manifest | null
  embed(texts: string[]): Promise<number[][]>
  report(error: unknown): void
}

export const similarFields = (manifest: Manifest | null, collection: string): string[] =>
  Object.entries(manifest?.collections[collection]?.fields ?? {}).flatMap(([name, { similar }]) =>
    similar === true ? [name] : [],
  )

/**
 * Stores a vector for each record of a partition. After a write an alarm computes the vectors that are missing or belong to an older
 * revision of their record. When the Durable Object stops during this work, the next alarm computes the remaining vectors.
 */
export class ObjectVectors {
  readonly #parts: VectorDeps
  readonly #runSql: RunSql
  #isFlushRequested = false

  constructor(parts: VectorDeps) {
    this.#parts = parts
    this.#runSql = sqlRunner(parts.storage)
  }

  /**
   * Schedules an update of the vectors after a write to `collections`. Must be called synchronously with the write, so that the alarm is
   * stored in the same transaction.
   */
  see(collections: Iterable<string>): void {
    const manifest = this.#parts.manifest()
    for (const name of collections)
      if (similarFields(manifest, name).length > 0) return this.#wakeIn(FLUSH_DELAY_MS)
  }

  /**
   * Schedules an update of the vectors. Called after a new release, which may declare other fields for the search by meaning. Also called
   * after this object has received records from another cloud account.
   */
  prepared(): void {
    if (this.#declaredCollections().length > 0 || hasTable(this.#runSql, '_vectors'))
      this.#wakeIn(FLUSH_DELAY_MS)
  }

  async wake(): Promise<void> {
    this.#isFlushRequested = false
    const declared = this.#declaredCollections()
    if (declared.length === 0 && !hasTable(this.#runSql, '_vectors')) return
    this.#runSql(
      'create table if not exists _vectors (collection text, id text, rev integer, text text, vector blob, primary key (collection, id)) without rowid',
    )
    this.#runSql(
      'delete from _vectors where collection not in (select value from json_each(?))',
      JSON.stringify(declared),
    )
    try {
      for (const name of declared) await this.#refreshVectors(name)
    } catch (error) {
      if (!(error instanceof ApiError)) this.#parts.report(error)
      const { code, retryAfterSeconds: wait = RETRY_MS / 1000 } = error as Partial<ApiError>
      // When AI is switched off, retry only after the next write. Cap the wait, because the budget may be raised before the month ends.
      if (code !== 'not_enabled') this.#wakeIn(Math.min(wait * 1000, RETRY_MAX_MS))
    }
  }

  /** Returns the records whose vectors are closest to `vector`, closest first; an empty list while there are no vectors. */
  nearest(
    collection: string,
    { vector, limit, owner }: { vector: ArrayLike<number>; limit: number; owner: string | null },
  ): { id: string; score: number }[] {
    if (!hasTable(this.#runSql, '_vectors')) return []
    const wanted = unitVector(vector)
    return this.#runSql<{ id: string; vector: ArrayBuffer }>(
      `select v.id, v.vector from (${newestRecordsSql(collection, owner !== null)}) c
        join _vectors v on v.collection = ? and v.id = c.id where v.vector is not null`,
      ...(owner === null ? [] : [owner]),
      collection,
    )
      .flatMap(({ id, vector: blob }) => {
        const floats = toFloats(blob)
        // Vectors of different lengths come from different models and cannot be compared.
        return floats.length === wanted.length ? [{ id, score: dotProduct(wanted, floats) }] : []
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  /** Returns the vector of a record; null while the record has none. */
  vectorOf(collection: string, id: string): Float32Array | null {
    if (!hasTable(this.#runSql, '_vectors')) return null
    const sql = 'select vector from _vectors where collection = ? and id = ? and vector is not null'
    const row = this.#runSql<{ vector: ArrayBuffer }>(sql, collection, id)[0]
    return row === undefined ? null : toFloats(row.vector)
  }

  async #refreshVectors(collection: string): Promise<void> {
    if (!hasTable(this.#runSql, `c_${collection}`)) return
    this.#runSql(
      `delete from _vectors where collection = ? and id not in (select id from (${newestRecordsSql(collection)}))`,
      collection,
    )
    const fields = similarFields(this.#parts.manifest(), collection)
    for (;;) {
      const stale = this.#runSql<OutdatedRecord>(
        `select c.id, c.rev, c.json, v.text from (${newestRecordsSql(collection)}) c
          left join _vectors v on v.collection = ? and v.id = c.id where v.rev is not c.rev limit ?`,
        collection,
        TEXTS_AT_ONCE,
      ).map((row) => ({ ...row, now: similarText(row.json, fields) }))
      if (stale.length === 0) return
      const changed = stale.filter(({ now, text }) => now !== text && now !== '')
      const vectors = changed.length === 0 ? [] : await this.#parts.embed(changed.map(({ now }) => now))
      // Without this check the remaining records would stay stale and be sent to the model in an endless loop.
      if (vectors.length < changed.length) throw new Error('The model returned too few vectors.')
      for (const one of stale) {
        const vector = vectors[changed.indexOf(one)]
        // An unchanged text needs no new vector: keep the stored vector and update only its revision.
        if (vector === undefined && one.now !== '')
          this.#runSql(
            'update _vectors set rev = ? where collection = ? and id = ?',
            one.rev,
            collection,
            one.id,
          )
        else
          this.#runSql(
            'insert or replace into _vectors values (?, ?, ?, ?, ?)',
            collection,
            one.id,
            one.rev,
            one.now,
            vector === undefined ? null : new Uint8Array(unitVector(vector).buffer),
          )
      }
    }
  }

  #declaredCollections(): string[] {
    const manifest = this.#parts.manifest()
    return Object.keys(manifest?.collections ?? {}).filter((name) => similarFields(manifest, name).length > 0)
  }

  #wakeIn(ms: number): void {
    if (this.#isFlushRequested) return
    this.#isFlushRequested = true
    this.#parts.alarms.set('vectors', Date.now() + ms)
  }
}

/**
 * A record whose vector is missing or of an older revision. `text` is the text from which the stored vector was computed; null without a
 * stored vector.
 */
interface OutdatedRecord {
  id: string
  rev: number
  json: JsonText<Record<string, unknown>>
  text: string | null
}

const newestRecordsSql = (collection: string, isOfOwner = false): string =>
  `select id, rev, json from "c_${collection}" ${isOfOwner ? 'where owner = ? ' : ''}order by created_at desc, id desc limit ${COMPARED_RECORDS_MAX}`

function similarText(json: JsonText<Record<string, unknown>>, fields: string[]): string {
  const values = JSON.parse(json)
  const texts = fields.flatMap((name) => (typeof values[name] === 'string' ? [values[name]] : []))
  // The cut may leave half of an emoji. A model that refuses such a text computes no vector of the whole batch.
  return texts.join('\n').trim().slice(0, TEXT_CHARS_MAX).toWellFormed()
}

/** Scales the vector to length 1, so that the dot product of two vectors is the cosine of their angle. */
function unitVector(vector: ArrayLike<number>): Float32Array {
  const floats = Float32Array.from(vector)
  const length = Math.hypot(...floats)
  return length === 0 ? floats : floats.map((value) => value / length)
}

const dotProduct = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)

const toFloats = (blob: ArrayBuffer): Float32Array => new Float32Array(new Uint8Array(blob).buffer)
