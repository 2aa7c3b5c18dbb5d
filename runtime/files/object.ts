import type { SyncStorage } from 'cloudflare:workers'
import { VISITORS_OWNER } from '../kernel/access/actor.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid, failureAnswer } from '../kernel/errors.ts'
import { requireWholeNumber, utf8Length } from '../kernel/fields.ts'
import { FILE_NAME_BYTES_MAX } from '../kernel/file-name.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import { fileLimitsOf, type FileLimits } from './limits.ts'
import { isAllowed } from './media-type.ts'
import { HmacSigner } from '../kernel/access/hmac-signer.ts'
import { FileStore } from './store.ts'
import {
  type FileRef,
  type FilesCalls,
  type NewFile,
  type TicketOptions,
  type UncheckedFile,
} from './types.ts'
import { DAY_SECONDS } from '../kernel/durations.ts'

const UPLOAD_TICKET_SECONDS = 600
/** An upload that takes longer than this is abandoned. */
const ABANDONED_UPLOAD_MS = DAY_SECONDS * 1000

/** Calls that are rejected while the list is copied to another cloud account. */
const CHANGING_CALLS: ReadonlySet<keyof FilesCalls> = new Set([
  'open',
  'multipart',
  'part',
  'finish',
  'remove',
])

const MEDIA_TYPES = /^(?:\*|[a-z]+)\/(?:\*|[\w.+-]+)$/

interface UploadTicket {
  owner: string
  maxBytes: number | null
  types: string[] | null
  /** The expiry in milliseconds since 1970. */
  exp: number
  jti: string
}

export class Files {
  readonly #store: FileStore
  readonly #limits: FileLimits
  readonly #signer: HmacSigner

  readonly #hold: Hold

  constructor(storage: SyncStorage, env: unknown, hold: Hold) {
    this.#hold = hold
    this.#store = new FileStore(storage)
    this.#limits = fileLimitsOf(env)
    this.#signer = new HmacSigner(this.#store.secret())
  }

  async answer<Kind extends keyof FilesCalls>(
    kind: Kind,
    ask: FilesCalls[Kind]['ask'],
  ): Promise<ResultOf<FilesCalls, Kind>> {
    try {
      if (CHANGING_CALLS.has(kind)) this.#hold.require()
      return { ok: true, value: await this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  /** Adds the files of an app that moves here from another cloud account. Idempotent. */
  take(files: readonly FileRef[]): void {
    this.#store.take(files)
  }

  readonly #handlers: AsyncHandlersOf<FilesCalls> = {
    ticket: (ask) => this.#issueTicket(ask),
    open: (ask) => this.#openUpload(ask),
    going: async ({ id, token }) => {
      const isOurs = await this.#signer.verify('upload', id, token)
      return (isOurs ? this.#store.findOpen(id) : null) ?? notFound()
    },
    multipart: ({ id, multipart }) => this.#store.setMultipart(id, multipart) ?? notFound(),
    part: ({ id, number, etag }) => {
      this.#store.setPart(id, number, etag)
      return null
    },
    parts: ({ id }) => this.#store.parts(id),
    finish: ({ id }) => this.#store.finish(id) ?? notFound(),
    find: ({ id }) => this.#store.find(id),
    owners: ({ ids }) =>
      ids.flatMap((id) => {
        const file = this.#store.find(id)
        return file === null ? [] : [{ id, ownerId: file.ownerId }]
      }),
    list: ({ owner, limit = 50, cursor }) => {
      requireWholeNumber('limit', limit, 200)
      const [, at, id] = /^(\d{1,15}):([a-z\d]{26})$/.exec(cursor ?? '') ?? []
      if (cursor !== undefined && id === undefined) throw invalid('cursor', 'is not a cursor of this list')
      if (owner != null) requireOwner(owner)
      return this.#store.list(owner, limit, id === undefined ? null : { at: Number(at), id })
    },
    sign: async ({ id, ttlSeconds, isDownload }) => {
      requireWholeNumber('ttlSeconds', ttlSeconds, DAY_SECONDS)
      const text = linkQuery(Math.floor(Date.now() / 1000) + ttlSeconds, isDownload)
      return `${text}&sig=${await this.#signer.sign('link', `${id}?${text}`)}`
    },
    verify: async ({ id, query }) => {
      const params = new URLSearchParams(query)
      const exp = Number(params.get('exp'))
      const isDownload = params.has('download')
      const signed = `${id}?${linkQuery(exp, isDownload)}`
      const isGood = await this.#signer.verify('link', signed, params.get('sig') ?? '')
      const file = isGood && exp * 1000 > Date.now() ? this.#store.find(id) : null
      return file === null ? null : { file, isDownload }
    },
    widths: () => this.#limits.imageWidths,
    remove: ({ id }) => this.#store.markDeleted(id)?.key ?? null,
    gone: ({ ids }) => {
      this.#store.forget(ids)
      return null
    },
    abandon: ({ owner }) => {
      requireOwner(owner)
      this.#store.discardOpen(owner, Infinity)
      return this.#store.listDeletedOf(owner)
    },
  }

  async #issueTicket(ask: TicketOptions): Promise<string> {
    const { owner = VISITORS_OWNER, maxBytes, types, ttlSeconds = UPLOAD_TICKET_SECONDS } = ask
    requireOwner(owner)
    requireWholeNumber('ttlSeconds', ttlSeconds, DAY_SECONDS)
    // `NaN` would become null in the JSON of the ticket, and null means no limit.
    if (maxBytes != null && !(maxBytes > 0)) throw invalid('maxBytes', 'must be above 0')
    if (types != null && !(Array.isArray(types) && types.every((type) => MEDIA_TYPES.test(type))))
      throw invalid('types', 'must be media types like image/* or image/png')
    const ticket: UploadTicket = {
      owner,
      maxBytes: maxBytes ?? null,
      types: types ?? null,
      exp: Date.now() + ttlSeconds * 1000,
      jti: crypto.randomUUID(),
    }
    const text = btoa(JSON.stringify(ticket)).replaceAll('=', '')
    return `${text}.${await this.#signer.sign('ticket', text)}`
  }

  async #openUpload({
    file,
    ticket: given,
    owner,
  }: FilesCalls['open']['ask']): Promise<FilesCalls['open']['answer']> {
    const ticket = given === undefined ? null : await this.#readTicket(given)
    const limits = {
      maxBytes: Math.min(this.#limits.maxBytes, ticket?.maxBytes ?? Infinity),
      types: [this.#limits.types, ...(ticket?.types == null ? [] : [ticket.types])],
    }
    const checked = checkFile(file, limits)
    const whose = ticket === null ? (owner ?? null) : ticket.owner
    if (whose !== null) requireOwner(whose)
    const now = Date.now()
    // Discard this owner's abandoned uploads first, so that they stop counting even if other owners have many.
    if (whose !== null) this.#store.discardOpen(whose, now - ABANDONED_UPLOAD_MS)
    const dead = this.#store.listDeleted(now - ABANDONED_UPLOAD_MS)
    const reserved = this.#store.reserve(
      checked,
      whose,
      whose === null ? null : this.#limits.perUserBytes,
      now,
      () => {
        if (ticket !== null && !this.#store.spend(ticket.jti, ticket.exp, now))
          throw new ApiError('conflict', 'This ticket was already used.')
      },
    )
    if (reserved === null)
      throw invalid('size', `more than the ${this.#limits.perUserBytes} bytes that are allowed in total`)
    return { file: reserved, token: await this.#signer.sign('upload', reserved.id), dead }
  }

  async #readTicket(given: string): Promise<UploadTicket> {
    const [text = '', signature = ''] = given.split('.')
    const ticket = (await this.#signer.verify('ticket', text, signature))
      ? (JSON.parse(atob(text)) as UploadTicket)
      : null
    if (ticket !== null && ticket.exp > Date.now()) return ticket
    throw new ApiError('forbidden', 'The ticket is invalid or has expired.')
  }
}

const linkQuery = (exp: number, isDownload: boolean): string => `exp=${exp}${isDownload ? '&download=1' : ''}`

function notFound(): never {
  throw new ApiError('not_found', 'No such upload.')
}

/** Throws for an invalid owner, and for `app`, which marks the app's own files. */
function requireOwner(owner: unknown): void {
  if (typeof owner !== 'string' || !/^[\w-]{1,64}$/.test(owner) || owner === 'app')
    throw invalid('owner', 'must be 1 to 64 letters, digits, dashes and underscores, and not "app"')
}

function checkFile(
  file: UncheckedFile,
  { maxBytes, types }: { maxBytes: number; types: string[][] },
): NewFile {
  const { name, type, size } = file
  const isName = typeof name === 'string' && name !== '' && !/[\p{Cc}\p{Cs}/\\]/u.test(name)
  if (!isName || utf8Length(name) > FILE_NAME_BYTES_MAX)
    throw invalid('name', `must be 1 to ${FILE_NAME_BYTES_MAX} bytes without slashes`)
  if (typeof type !== 'string' || !/^[a-z]+\/[\w.+-]{1,80}$/.test(type))
    throw invalid('type', 'must be a media type like image/png')
  if (!types.every((allowed) => isAllowed(type, allowed)))
    throw invalid('type', `${type} is not accepted here`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1)
    throw invalid('size', 'must be a whole number above 0')
  if (size > maxBytes) throw invalid('size', `must be at most ${maxBytes} bytes`)
  return { name, type, size }
}
