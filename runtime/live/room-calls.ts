import { type Actor, isTeamId } from '../kernel/access/actor.ts'
import type { PreparedResult } from '../kernel/objects/calls.ts'
import { invalid, failureAnswer, unwrapResult } from '../kernel/errors.ts'
import { sendPrepared } from '../kernel/objects/send-prepared.ts'
import { manifestReader } from '../kernel/objects/manifest-reader.ts'
import {
  accountOf,
  type AppObjectStub,
  type Objects,
  partitionOf,
  roomOf,
  type Tier,
} from '../kernel/objects/objects.ts'
import { indexRoom } from './room-index.ts'
import { requireEntry, roomSpecOf } from './rules.ts'
import type { LiveSettings } from './settings.ts'
import { CALL_HEADER, type LiveCalls, ROOM_HEADER } from './types.ts'
import type { SocketHeaders } from '../data/socket-headers.ts'

const roomsOf = manifestReader(({ rooms = [] }) => rooms)

interface LiveRpcContext {
  objects: Objects
  tier: Tier
  settings: LiveSettings
  /**
   * Returns the partition that `wanted` names for this caller. Throws when `wanted` is the id of a person who does not exist;
   * does not check whether a team exists.
   */
  partitionFor: (actor: Actor, wanted: string) => Promise<string>
  /** Returns the caller, with `inTeam` set if they are a member of the team that owns this partition. */
  actorIn: (actor: Actor, partition: string) => Promise<Actor>
}

interface FoundRoom {
  object: AppObjectStub
  room: string
  /** Null for a room of the app. */
  partition: string | null
  history: number
}

/** Throws unless the caller may enter. Returns null when the release's manifest is missing. */
async function findRoom(
  context: LiveRpcContext,
  hash: string,
  actor: Actor,
  { name, id, partition: wanted }: { name: unknown; id: unknown; partition: string | null },
): Promise<FoundRoom | null> {
  const { objects, tier, settings } = context
  const rooms = await roomsOf(context, hash)
  if (rooms === null) return null
  const spec = roomSpecOf(rooms, name, id)
  const partition = wanted === null ? null : await context.partitionFor(actor, wanted)
  const inside = partition === null ? actor : await context.actorIn(actor, partition)
  requireEntry(spec, inside, { partition, allowAnonymous: settings.allowAnonymous })
  const room = `${spec.room}/${String(id)}`
  return {
    object: partition === null ? roomOf(objects, tier, room) : partitionOf(objects, tier, partition),
    room,
    partition,
    history: Math.min(settings.historyLimit, spec.history ?? settings.historyLimit),
  }
}

/** Returns the name and the id of the room in a path; null for any other path. */
export function parseRoomPath(pathname: string): { name: string; id: string } | null {
  const [, name, id] = /^\/_app\/live\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
  return name === undefined || id === undefined ? null : { name, id }
}

/**
 * Opens a socket to a room. Without an `upgrade` header, the response only says whether the caller may enter. Returns 409 when the
 * directory lacks the release's manifest. When only the partition lacks it, calls `prepare` and tries again.
 */
export async function openRoom(
  context: LiveRpcContext,
  actor: Actor,
  request: Request,
  prepare: (hash: string, partition: string) => Promise<boolean>,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const hash = request.headers.get('slipway-manifest') ?? ''
  const asked = parseRoomPath(pathname)
  const partition = searchParams.get('partition')
  if (partition === null && searchParams.has('data'))
    throw invalid('data', 'needs a partition, whose records come along')
  const found = await findRoom(context, hash, actor, { name: asked?.name, id: asked?.id, partition })
  if (found === null) return new Response(null, { status: 409 })
  if (typeof actor !== 'string') await recordRoom(context, actor.userId, found)
  const headers = new Headers(request.headers) as SocketHeaders
  headers.set(
    ROOM_HEADER,
    JSON.stringify({ room: found.room, history: found.history, canCall: headers.get(CALL_HEADER) === 'on' }),
  )
  return sendPrepared(
    () => found.object.fetch(new Request(request.url, { headers })),
    ({ status }) => status === 409,
    async () => found.partition !== null && prepare(hash, found.partition),
  )
}

/** Records in the person's object which room their socket is in, so that signing out closes it and an erasure finds the messages. */
async function recordRoom(
  { objects, tier }: LiveRpcContext,
  userId: string,
  { room, partition }: FoundRoom,
): Promise<void> {
  const account = accountOf(objects, tier, userId)
  if (partition === null) await indexRoom(account, room)
  else if (isTeamId(partition)) await account.memberships('follow', { team: partition })
}

/** Handles an RPC call of the app's worker about rooms. Returns an `ApiError` as a value instead of throwing it. */
export async function handleLive<Kind extends keyof LiveCalls>(
  context: LiveRpcContext,
  hash: string,
  kind: Kind,
  ask: LiveCalls[Kind]['ask'],
): Promise<PreparedResult<LiveCalls[Kind]['answer']>> {
  try {
    const found = await findRoom(context, hash, 'system', { ...ask, partition: ask.partition ?? null })
    if (found === null) return { ok: false, unprepared: true }
    return { ok: true, value: await roomHandlers[kind](found, ask) }
  } catch (error) {
    return failureAnswer(error)
  }
}

const roomHandlers: {
  [Kind in keyof LiveCalls]: (
    found: FoundRoom,
    ask: LiveCalls[Kind]['ask'],
  ) => Promise<LiveCalls[Kind]['answer']>
} = {
  broadcast: async ({ object, room, history }, { event, data }) =>
    unwrapResult(await object.rooms('broadcast', { room, history, event, data: data ?? null })),
  peers: async ({ object, room }) => unwrapResult(await object.rooms('peers', { room })),
}
