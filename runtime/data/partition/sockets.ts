import type { ObjectState, ServerSocket } from 'cloudflare:workers'
import { type Actor, ownerOf } from '../../kernel/access/actor.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { ServerFrame } from '../frames.ts'
import { belongsToPartition, isInScope, readableScope } from '../rules.ts'
import type { JoinedRoom } from '../socket-headers.ts'
import { toLogOp, type LogEntry, type PartitionStore } from './store.ts'

const SOCKETS_MAX = 2000
const OPS_PER_FRAME = 500

/** The state that each socket keeps while the Durable Object hibernates. */
export interface Attachment {
  hash: string
  actor: Actor
  /** The manifest positions of the collections that the page follows. The names could exceed what a socket can store. */
  collections: number[]
  /**
   * Set when a live room also uses this socket, so that the page needs only one connection. Stored with sockets that hibernate, so this
   * field keeps its name.
   */
  seat?: JoinedRoom | undefined
}

export const sendFrame = (socket: WebSocket, frame: ServerFrame): void => socket.send(JSON.stringify(frame))

export const tagOf = (room: string): string => `room:${room}`

/** Opens a socket. Returns null when the Durable Object already has `SOCKETS_MAX` sockets. */
export function openSocket(
  ctx: ObjectState,
  attachment: Attachment,
): { socket: ServerSocket; response: Response } | null {
  if (ctx.getWebSockets().length >= SOCKETS_MAX) return null
  const pair = new WebSocketPair()
  const socket = pair[1] as ServerSocket
  const user = ownerOf(attachment.actor)
  const { seat } = attachment
  ctx.acceptWebSocket(socket, [
    ...(user === null ? [] : [user]),
    ...(seat === undefined ? [] : [tagOf(seat.room)]),
  ])
  socket.serializeAttachment(attachment)
  return { socket, response: new Response(null, { status: 101, webSocket: pair[0] }) }
}

/** Accepts a socket. Sends the operations since `after` first and then `hello`, which means that the page is up to date. */
export function acceptSocket(
  ctx: ObjectState,
  store: PartitionStore,
  options: {
    manifest: Manifest
    hash: string
    actor: Actor
    partition: string
    wanted: string[]
    after: number | null
    joined: JoinedRoom | null
  },
): { socket: ServerSocket; response: Response } | null {
  const { manifest, hash, actor, partition, joined } = options
  const collections = Object.entries(manifest.collections).flatMap(([name, collection], position) => {
    const isSent =
      options.wanted.includes(name) &&
      belongsToPartition(collection, partition) &&
      readableScope(actor, collection) !== 'none'
    return isSent ? [position] : []
  })
  const attachment: Attachment = { hash, actor, collections, ...(joined !== null && { seat: joined }) }
  const opened = openSocket(ctx, attachment)
  if (opened === null) return null
  if (options.after !== null) catchUp(opened.socket, store, options.after, manifest, attachment)
  sendFrame(opened.socket, { type: 'hello', seq: store.head(), user: ownerOf(actor) })
  return opened
}

function catchUp(
  socket: WebSocket,
  store: PartitionStore,
  after: number,
  manifest: Manifest,
  attachment: Attachment,
): void {
  const missed = store.since(after)
  if (missed === null) return sendFrame(socket, { type: 'reset', seq: store.head() })
  const ops = visibleEntries(missed, manifest, attachment)
  for (let start = 0; start < ops.length; start += OPS_PER_FRAME) {
    sendFrame(socket, { type: 'ops', ops: ops.slice(start, start + OPS_PER_FRAME) })
  }
}

/** The close code for a socket whose session has changed. */
const SESSION_CHANGED = 4001

/** Closes the sockets of a person; without `userId`, all sockets. Sends an `ended` frame first, because closing may take seconds. */
export function endSockets(ctx: Pick<ObjectState, 'getWebSockets'>, userId?: string): void {
  for (const socket of ctx.getWebSockets(userId)) {
    if (socket.readyState === WebSocket.OPEN) sendFrame(socket, { type: 'ended' })
    socket.close(SESSION_CHANGED, 'The session has changed.')
  }
}

/**
 * Sends one frame per transaction to every socket that may see any of its records. The records have the
 * fields of the release from which the page of the socket was loaded.
 */
export function broadcast(
  ctx: ObjectState,
  log: LogEntry[],
  {
    manifestOf,
    actorHere,
  }: { manifestOf: (hash: string) => Manifest | null; actorHere: (actor: Actor) => Actor },
): void {
  if (log.length === 0) return
  for (const socket of ctx.getWebSockets()) {
    const attachment = socket.deserializeAttachment() as Attachment
    const manifest = manifestOf(attachment.hash)
    const actor = actorHere(attachment.actor)
    const ops = manifest === null ? [] : visibleEntries(log, manifest, { ...attachment, actor })
    // Sending on a closing socket throws. Its page fetches the operations when it reconnects.
    if (ops.length > 0 && socket.readyState === WebSocket.OPEN) sendFrame(socket, { type: 'ops', ops })
  }
}

function visibleEntries(log: LogEntry[], manifest: Manifest, { actor, collections }: Attachment) {
  const names = Object.keys(manifest.collections)
  return log.flatMap((entry) => {
    const isSent = collections.includes(names.indexOf(entry.collection))
    const spec = isSent ? manifest.collections[entry.collection] : undefined
    const isVisible = spec !== undefined && isInScope(readableScope(actor, spec), actor, entry.owner)
    return isVisible ? [toLogOp(entry, spec)] : []
  })
}
