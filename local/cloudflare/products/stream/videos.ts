import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'
import { durationOf, isVideo } from './duration.ts'

/**
 * A stored video. Times are epoch milliseconds; `uploadedAt` is null until the upload is complete. `problem` is why the file is not a
 * usable video.
 */
export interface Video {
  uid: string
  accountId: string
  creator: string | null
  meta: Record<string, unknown>
  requiresSignedUrls: boolean
  allowedOrigins: string[]
  maxDurationSeconds: number | null
  uploadExpiresAt: number | null
  createdAt: number
  modifiedAt: number
  uploadedAt: number | null
  size: number
  durationSeconds: number | null
  problem: string | null
}

/** The fields of a video that a client may set. */
export const VideoInput = z.object({
  creator: z.string().max(64).nullable().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  requireSignedURLs: z.boolean().optional(),
  allowedOrigins: z.array(z.string().max(300)).max(100).optional(),
  maxDurationSeconds: z.number().int().min(1).max(36_000).optional(),
  expiry: z.iso.datetime({ offset: true }).optional(),
})
export type VideoInput = z.output<typeof VideoInput>

const Claims = z.object({ sub: z.string(), exp: z.number() })

export type VideoState = 'pendingupload' | 'queued' | 'inprogress' | 'ready' | 'error'

const UPLOAD_WITHIN_MS = 30 * 60_000
const QUEUED_STATE_MS = 1000
const READY_AFTER_MS = 3000
const TOKEN_MS = 60 * 60_000

/** The videos of all accounts: metadata in the database, bytes in files. */
export class Videos {
  readonly #store: Store
  readonly #dir: string
  readonly #now: () => number
  readonly #timeScale: number
  readonly #key: string
  /** Base address of uploads and playback, as browsers reach it. */
  readonly baseUrl: () => string

  constructor(options: {
    store: Store
    dir: string
    now: () => number
    timeScale: number
    signingKey: string
    baseUrl: () => string
  }) {
    this.#store = options.store
    this.#dir = options.dir
    this.#now = options.now
    this.#timeScale = options.timeScale
    this.#key = options.signingKey
    this.baseUrl = options.baseUrl
  }

  create(accountId: string, input: VideoInput): Video {
    const uid = hexId()
    const now = this.#now()
    const expiry = input.expiry === undefined ? now + UPLOAD_WITHIN_MS : Date.parse(input.expiry)
    this.#store.run(
      `INSERT INTO stream_videos (uid, account_id, creator, meta, requires_signed_urls, allowed_origins,
         max_duration_seconds, upload_expires_at, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      uid,
      accountId,
      input.creator ?? null,
      JSON.stringify(input.meta ?? {}) satisfies VideoRow['meta'],
      Number(input.requireSignedURLs ?? false),
      JSON.stringify(input.allowedOrigins ?? []) satisfies VideoRow['allowed_origins'],
      input.maxDurationSeconds ?? null,
      expiry,
      now,
      now,
    )
    return requireStored(this.find(uid))
  }

  find(uid: string, accountId?: string): Video | null {
    const row = this.#store.get<VideoRow>('SELECT * FROM stream_videos WHERE uid = ?', uid)
    const video = row === undefined ? null : toVideo(row)
    return video === null || (accountId !== undefined && video.accountId !== accountId) ? null : video
  }

  list(accountId: string): Video[] {
    return this.#store
      .all<VideoRow>(
        'SELECT * FROM stream_videos WHERE account_id = ? ORDER BY created_at DESC, uid DESC',
        accountId,
      )
      .map(toVideo)
  }

  update(video: Video, input: VideoInput): Video {
    this.#store.run(
      `UPDATE stream_videos SET creator = ?, meta = ?, requires_signed_urls = ?, allowed_origins = ?,
         max_duration_seconds = ?, modified_at = ? WHERE uid = ?`,
      input.creator === undefined ? video.creator : input.creator,
      JSON.stringify(input.meta ?? video.meta) satisfies VideoRow['meta'],
      Number(input.requireSignedURLs ?? video.requiresSignedUrls),
      JSON.stringify(input.allowedOrigins ?? video.allowedOrigins) satisfies VideoRow['allowed_origins'],
      input.maxDurationSeconds ?? video.maxDurationSeconds,
      this.#now(),
      video.uid,
    )
    return requireStored(this.find(video.uid))
  }

  /** Stores an upload. Returns false when the video already has an upload or was deleted, or after the deadline. */
  upload(video: Video, bytes: Uint8Array): boolean {
    const now = this.#now()
    // Read the video again: another upload may have been stored, or the video deleted, while the bytes of this upload arrived.
    const known = this.find(video.uid)
    if (known === null || known.uploadedAt !== null || now > (known.uploadExpiresAt ?? Infinity)) return false
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    writeFileSync(this.path(video), bytes, { mode: 0o600 })
    const duration = durationOf(bytes)
    const max = video.maxDurationSeconds
    const isTooLong = max !== null && duration !== null && duration > max
    const problem = !isVideo(bytes) ? 'ERR_NON_VIDEO' : isTooLong ? 'ERR_DURATION_EXCEED_CONSTRAINT' : null
    const changes = this.#store.run(
      `UPDATE stream_videos SET uploaded_at = ?, modified_at = ?, size = ?, duration_seconds = ?, problem = ?
       WHERE uid = ? AND uploaded_at IS NULL`,
      now,
      now,
      bytes.byteLength,
      duration,
      problem,
      video.uid,
    )
    return changes > 0
  }

  remove(video: Video): void {
    this.#store.run('DELETE FROM stream_videos WHERE uid = ?', video.uid)
    rmSync(this.path(video), { force: true })
  }

  /**
   * Returns the state of a video. After its upload a video is `queued`, then `inprogress`, and after three seconds
   * `ready`; a file that was refused gets `error`.
   */
  state(video: Video): VideoState {
    if (video.uploadedAt === null) return 'pendingupload'
    const age = (this.#now() - video.uploadedAt) / this.#timeScale
    if (age < QUEUED_STATE_MS) return 'queued'
    if (video.problem !== null) return 'error'
    return age < READY_AFTER_MS ? 'inprogress' : 'ready'
  }

  path({ uid }: Video): string {
    return join(this.#dir, uid)
  }

  /** Returns a token that plays one video until it expires. */
  token(video: Video, expiresAt = this.#now() + TOKEN_MS): string {
    const payload = Buffer.from(
      JSON.stringify({ sub: video.uid, exp: expiresAt } satisfies z.output<typeof Claims>),
    ).toString('base64url')
    return `${payload}.${this.#signPayload(payload)}`
  }

  /**
   * Returns the video for the id or token in a playback URL; null when there is none. A video that requires
   * signed URLs is found by token only.
   */
  findPlayable(id: string): Video | null {
    const [payload = '', signature] = id.split('.')
    if (signature === undefined) {
      const video = this.find(id)
      return video === null || video.requiresSignedUrls ? null : video
    }
    const [given, right] = [Buffer.from(signature), Buffer.from(this.#signPayload(payload))]
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    const { sub, exp } = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    return exp < this.#now() ? null : this.find(sub)
  }

  #signPayload(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url')
  }
}

interface VideoRow {
  uid: string
  account_id: string
  creator: string | null
  meta: JsonText<Video['meta']>
  requires_signed_urls: number
  allowed_origins: JsonText<string[]>
  max_duration_seconds: number | null
  upload_expires_at: number | null
  created_at: number
  modified_at: number
  uploaded_at: number | null
  size: number
  duration_seconds: number | null
  problem: string | null
}

function toVideo(row: VideoRow): Video {
  return {
    uid: row.uid,
    accountId: row.account_id,
    creator: row.creator,
    meta: JSON.parse(row.meta),
    requiresSignedUrls: row.requires_signed_urls === 1,
    allowedOrigins: JSON.parse(row.allowed_origins),
    maxDurationSeconds: row.max_duration_seconds,
    uploadExpiresAt: row.upload_expires_at,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    uploadedAt: row.uploaded_at,
    size: row.size,
    durationSeconds: row.duration_seconds,
    problem: row.problem,
  }
}
