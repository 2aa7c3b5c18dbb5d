import type { Store } from './store.ts'

export interface JournalEntry {
  at: number
  provider: string
  method: string
  path: string
  status: number
  accountId: string | null
  bodyDigest: string | null
  fault: string | null
  isUnimplemented: boolean
}

interface JournalRow {
  seq: number
  at: number
  provider: string
  method: string
  path: string
  status: number
  account_id: string | null
  body_digest: string | null
  fault: string | null
  is_unimplemented: number
}

const JOURNAL_ENTRIES_MAX = 10_000
const FLUSH_MS = 200

/**
 * Records the last 10,000 requests to the stand-ins. Entries are written in batches, so that a request does
 * not wait for the disk.
 */
export class Journal {
  readonly #store: Store
  readonly #waitingEntries: JournalEntry[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(store: Store) {
    this.#store = store
  }

  add(entry: JournalEntry): void {
    this.#waitingEntries.push(entry)
    this.#timer ??= setTimeout(() => this.#attemptFlush(), FLUSH_MS).unref()
  }

  /** Drops the entries when they cannot be written: a full disk must not end this process. */
  #attemptFlush(): void {
    try {
      this.flush()
    } catch {
      // Entries may be lost: only the control routes read the journal.
    }
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const entries = this.#waitingEntries.splice(0)
    if (entries.length === 0) return
    this.#store.transact(() => {
      for (const e of entries) {
        this.#store.run(
          `INSERT INTO journal (at, provider, method, path, status, account_id, body_digest, fault, is_unimplemented)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          e.at,
          e.provider,
          e.method,
          e.path,
          e.status,
          e.accountId,
          e.bodyDigest,
          e.fault,
          Number(e.isUnimplemented),
        )
      }
      this.#store.run(
        'DELETE FROM journal WHERE seq <= (SELECT max(seq) FROM journal) - ?',
        JOURNAL_ENTRIES_MAX,
      )
    })
  }

  /** Returns the entries after a sequence number, oldest first. */
  read(since: number) {
    this.flush()
    return this.#store
      .all<JournalRow>('SELECT * FROM journal WHERE seq > ? ORDER BY seq', since)
      .map((row) => ({
        seq: row.seq,
        at: row.at,
        provider: row.provider,
        method: row.method,
        path: row.path,
        status: row.status,
        account: row.account_id,
        bodyDigest: row.body_digest,
        fault: row.fault,
        unimplemented: row.is_unimplemented === 1,
      }))
  }
}
